const form = document.querySelector("form"), said = document.querySelector("#said"), kept = document.querySelector("#kept");
function show(lines) {
  said.replaceChildren(...lines.map(words => Object.assign(document.createElement("li"), {textContent: words})));
}
async function ask(what) {
  show(["..."]);
  const fields = what === "keep" ? {webhook: form.elements.webhook.value, email: form.elements.email.value} : {};
  try {
    const answer = await fetch(location.pathname, {method: "POST", body: JSON.stringify({do: what, ...fields}),
      headers: {authorization: "Basic " + (localStorage.getItem("prefect-password") || "")}});
    const found = await answer.json();
    show(found.said);
    if (found.kept) kept.textContent = found.kept.join(", ") || "nobody";
    if (answer.ok && what === "keep") form.reset();
  } catch (error) { show(["the server did not answer; load the page again"]); }
}
form.addEventListener("submit", event => { event.preventDefault(); ask("keep"); });
for (const name of ["try", "none"]) form.elements[name].addEventListener("click", () => ask(name));
