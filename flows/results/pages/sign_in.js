const send = password => fetch("/reprolab/session", {method: "POST", headers: {authorization: "Basic " + password}});
const form = document.querySelector("form"), said = document.querySelector("#said");
async function enter(password) {
  const answer = await send(password);
  if (!answer.ok) return false;
  const last = Number(sessionStorage.getItem("reprolab-sign-in") || 0);
  sessionStorage.setItem("reprolab-sign-in", Date.now());
  if (Date.now() - last < 5000) { said.textContent = "This browser keeps no cookies from here; allow them and load the page again."; return true; }
  location.reload();
  return true;
}
(async () => {
  const kept = localStorage.getItem("prefect-password");
  if (kept && /^[\x21-\x7e]+$/.test(kept) && await enter(kept)) return;
  form.hidden = false;
  form.elements[0].focus();
})();
form.addEventListener("submit", async event => {
  event.preventDefault();
  const given = form.elements[0].value.trim();
  const whole = btoa(unescape(encodeURIComponent(given.includes(":") ? given : "reprolab:" + given)));
  if (await enter(whole)) localStorage.setItem("prefect-password", whole);
  else said.textContent = "That is not the password.";
});
