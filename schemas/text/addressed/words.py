"""Words by which a text gives an AI orders, as `fold.folded` leaves them, and marks that only a conversation with one has.

Not words about AI: a paper may be about it. What counts are orders: to set instructions aside, to judge in a certain way, to
give secrets away, and words that turn to an AI as their reader.
"""

from __future__ import annotations

import re

from schemas.text.addressed.fold import folded

_SET_ASIDE = """
ignore|disregard|forget|override|bypass|do not follow|do not obey|don't follow|pay no attention to|stop following
ignoriere|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie|beachte keine|befolge nicht
ignorez|oublie|oubliez|ne tiens pas compte|ne tenez pas compte|ne tenez aucun compte|faites fi|faites abstraction
ignora|ignorad|olvida|olvide|olviden|haz caso omiso|haga caso omiso|hagan caso omiso|no sigas|no hagas caso
ignorate|dimentica|dimenticate|non seguire|non seguite|trascura|esqueca|esquece|desconsidere|desconsidera|nao siga
negeer|vergeet|volg niet|ignorera|ignorer|glöm alla|glöm bort|glem alle|bortse från|se bort fra
älä noudata|unohda|ohita|jätä huomiotta
zignoruj|ignoruj|zapomnij|pomiń|zapomeň|zabudni|hagyd figyelmen kívül|felejtsd el|ignoră|ignorați|uită toate|uitați
yok say|göz ardı et|görmezden gel|unut
игнорируй|проигнорируй|забудь|не обращай внимания|не обращайте внимания|не следуй|не выполняй|ігноруй|проігноруй|забудьте
игнорирай|занемари|игнориши|αγνόησε|αγνοήστε|ξέχασε|ξεχάστε|παράβλεψε
تجاهل|تجاهلوا|لا تتبع|انس|نادیده بگیر|فراموش کن|نظر انداز|התעלם|התעלמו|התעלמי|שכח
अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|উপেক্ষা|bỏ qua|hãy quên|quên các|quên mọi|abaikan|lupakan|เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ไม่สนใจ
"""
_ORDERS = """
instruction|instructie|instruktion|instruccion|istruzion|instruções|instrução|instrukcj|instrukc|instrucțiun|instruksi|anweisung|vorgaben|
befehl|consigne|aanwijzing|opdracht|anvisning|ohjeet|ohjeita|ohjeist|polecen|pokyn|utasítás|talimat|yönerge
инструкци|указани|распоряжени|предписани|інструкці|вказівк|упутств|οδηγί|εντολ
تعليمات|أوامر|دستورالعمل|دستورها|دستورات|ہدایات|הוראות|הנחיות|निर्देश|आदेश|নির্দেশ|hướng dẫn|chỉ thị|perintah|คำสั่ง|คำแนะนำ
"""
_CHINESE = (
    "(?:忽略|无视|無視|忽视|忘记|忘掉|不要理会|不用管|别管|不要遵守).{0,10}?"
    "(?:之前|以上|上面|前面|先前|此前|所有|全部|任何|原有|系统|系統|一切|上述).{0,8}?(?:指令|指示|提示词|提示|命令|规则|要求|说明)"
    "|(?:人工智能|语言模型|語言模型|大模型|智能体|ai模型|ai助手|ai代理|ai审稿人|ai).{0,16}?(?:必须|務必|务必)"
)
_JAPANESE = (
    "(?:指示|命令|プロンプト|ルール|指令)(?:を|は|も)?(?:すべて|全て|全部)?(?:無視(?:し|せ)|忘れ|従わな|従うな)"
    "|(?:言語モデル|人工知能|aiエージェント|aiモデル|aiアシスタント|全てのai|すべてのai|査読ai).{0,24}?"
    "(?:してください|しなければ|せよ|しなさい|承認)"
)
_KOREAN = (
    "(?:지시|명령|지침|프롬프트)(?:사항)?(?:를|을|은|는|사항을)?(?:모두|전부)?(?:무시|잊|따르지)"
    "|(?:인공지능|언어모델|ai에이전트|ai모델|모든ai).{0,24}?(?:해야|하십시오|하라|하시오|승인)"
)
_MUST = """
ki-agent|ki-system|ki-modell|ki-assistent|sprachmodell|künstliche intelligenz|ki-gutachter > muss|müssen|soll|sollen|bitte
modèles de langage|modèle de langage|intelligence artificielle|agents ia|agent ia|assistant ia|relecteur ia > doit|doivent|devez
modelos de lenguaje|modelo de lenguaje|inteligencia artificial|agentes de ia|asistente de ia|revisor de ia > debe|tiene que
modelos de linguagem|modelo de linguagem|agentes de ia|assistente de ia > deve|tem que
modelli linguistici|modello linguistico|intelligenza artificiale|agenti ia|assistente ia > deve|devono
языковая модель|языковые модели|искусственный интеллект|нейросеть|ии-агент|ии-модел > должн|обязан
sztuczna inteligencja|model językowy|modele językowe|agenci ai > musi|muszą|powin
yapay zeka|dil modeli > malı|meli|zorunda
الذكاء الاصطناعي|نموذج اللغة|النماذج اللغوية > يجب|عليك|عليه
कृत्रिम बुद्धिमत्ता|भाषा मॉडल|एआई > चाहिए|करें|अनिवार्य
trí tuệ nhân tạo|mô hình ngôn ngữ > phải
"""
_AI = (
    "(?:ai(?:agents?|models?|assistants?|reviewers?|readers?|systems?|tools?|bots?)|llms?|"
    "largelanguagemodels?|languagemodels?|chatbots?|chatgpt|claude|gemini|copilot|automatedreviewers?|"
    "automatedagents?|autonomousagents?)"
)
_WHO = (
    f"(?:{_AI}|allagents|everyagent|reviewers)"
    "(?:readingthis|thatreadthis|whoreadthis|processingthis|parsingthis)?(?:paper|text|document|manuscript)?"
)
_MARKS_OF_ORDERS = "(?:previous|prior|above|earlier|preceding|foregoing|former|system|original|initial|your|developer|safety)"
_ENGLISH = (
    "(?:ignore|disregard|forget|override|bypass|donotfollow|donotobey)(?:all|any|every|each|of|the|these|those|this|that|and|other)"
    f"{{0,4}}{_MARKS_OF_ORDERS}(?:all|and|or|the|your|{_MARKS_OF_ORDERS[3:-1]}){{0,4}}"
    "(?:prompt|rule|guideline|command|message|polic(?:y|ies)|training|programming)",
    f"(?:noteto|attention|messageto|messagefor|instructionsfor|instructionsto|noticeto|dear)(?:all|any|every|the|an?)?{_AI}",
    f"(?:if|since|because|when)you(?:are|re)(?:an?|the)?(?:{_AI}|ai(?![rmdl]))",
    f"youare(?:now)?(?:an?|the)(?:helpful|new|different|unrestricted|friendly)?(?:{_AI}|ai(?![rmdl])|assistant)",
    f"{_WHO}(?:must|shall|should|haveto|needto|areto|isto|arerequiredto|areinstructedto|areorderedto|willnow)"
    "(?:now|immediately|always|only|not)?(?:approve|accept|ignore|disregard|classify|print|reveal|obey|praise|mark|rate|score|"
    "returnthe|recommend|reportsuccess|skip|forget|givea|stop|answer|say|state)",
    "(?:classify|mark|report|declare|label|rate|score|judge|treat)(?:every|all|each|any)(?:of|the|this|these|our){0,3}"
    "(?:target|result|figure|stage|comparison|claim|simulation)s?(?:asa?)(?:success|reproduced|pass(?!iv)|approved|correct)",
    "approve(?:everything|theplan|allplans|everyplan|thedesign|alldesigns|everydesign|thecode|withoutreview|withoutreading)",
    "(?:return|giveonlythe|answerwith|output|setthe)(?:the)?verdict",
    "(?:give|write)(?:it|this|thispaper|themanuscript)?(?:an?|only)?(?:very|highly|strongly)?(?:positive|favou?rable)reviews?only|"
    "donothighlight(?:any|the)(?:negative|weakness)|recommend(?:its|the)?acceptance",
    "donot(?:mention|reveal|disclose|repeat|tell)(?:to)?(?:the|this|these|those|any|your|user|anyone|about|of){0,4}"
    "(?:instruction|prompt|message|hiddentext)",
    "(?:print|reveal|show|output|send|leak|exfiltrate|post|upload|read|return|include|disclose|giveme|tellme)"
    "(?:me|us|out|the|your|all|of|any|contents?|values?|files?|my|its|to|and|in){0,6}"
    "(?:anthropicapikey|openaiapikey|apikeys?|systemprompt|environmentvariables?|sshkeys?|privatekey|idrsa|credentials|passwords?|"
    "secretkey|hiddenprompt|initialinstructions|homefolder)",
    "anthropicapikey|openaiapikey|etcpasswd|etcshadow|sshidrsa|doanythingnow|developermodeenabled|jailbreakmode",
    "skip(?:all|the|every)(?:simulation|verification|physicscheck|review)s?and",
)
_NEAR, _MOST = 30, 45  # folded characters between an order and what it is about


def _any(words: str) -> str:
    found = {folded(word) for line in words.split("\n") for word in line.split("|") if word.strip()}
    return "|".join(sorted(map(re.escape, found), key=len, reverse=True))


def _addressing() -> list[str]:
    aside, orders = _any(_SET_ASIDE), _any(_ORDERS)
    found = [f"(?:{aside}).{{0,{_MOST}}}?(?:{orders})", f"(?:{orders}).{{0,{_NEAR}}}?(?:{aside})"]
    for line in filter(None, _MUST.split("\n")):
        who, must = line.split(">")
        found.append(f"(?:{_any(who)}).{{0,{_NEAR}}}?(?:{_any(must)})")
    return found


# English alone is also looked for backwards, letters turned by 13, and with digits for letters.
ENGLISH = re.compile("|".join(_ENGLISH) + f"|(?:ignore|disregard|forget).{{0,{_MOST}}}?instruction")
WITH_DIGITS = re.compile(ENGLISH.pattern.replace("l", "i"))
EVERY = re.compile("|".join([*_ENGLISH, *_addressing()]))
ASIAN = re.compile(
    re.sub("[^\x00-\x7f]+", lambda found: folded(found[0]), "|".join((_CHINESE, _JAPANESE, _KOREAN)))
)
MARKS = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)[^>\n]{0,20}\|?>"
    r"|\[/?inst\]|<</?sys>>|<\s{0,3}/\s{0,3}data\s{0,3}>|<data\s{1,3}title\s{0,3}=|</?(?:system|instructions?|system_prompt)\s{0,3}>"
    r"|^[ \t#*>]{0,12}(?:global rules|system prompt|system message|system override|new instructions?)[ \t*:]{0,6}$"
    r"|^[ \t]{0,8}assistant[ \t]{0,3}:[ \t]"
    r"|^[ \t]{0,8}request:[ \t]{1,3}[a-z_]{4,30}\.[\w-]{1,60}\.\d+\.\d",
    re.IGNORECASE | re.MULTILINE,
)
