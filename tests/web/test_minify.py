"""Scripts are made smaller, and say the same."""

from __future__ import annotations

import pytest

from pbem.web.minify import squeezed

SAME = [
    ("const long = 1;\nlog(long);", "let a=1;log(a);"),
    ("// why\nlet a1 = 2; /* and\nwhy */ log(a1 + +a1 - -a1);", "let a1=2;log(a1+ +a1- -a1);"),
    # a property's name stays, and so does a variable of that name
    ("const size = 1; log({ size }, it.length);", "let size=1;log({size},it.length);"),
    ("const other = 1; log({ more: other });", "let a=1;log({more:a});"),
    ("const other = 1; log({ other: 2 });", "let other=1;log({other:2});"),
    (
        "const { left, right: rest } = it; log(left, rest);",
        "let{left,right:rest}=it;log(left,rest);",
    ),
    (
        "class Cart { wheels() { return 4; } }\nlog(new Cart().wheels());",
        "class a{wheels(){return 4}}\nlog(new a().wheels());",
    ),
    (
        "const kinds = { first() { return 1; }, get third() { return 3; } };\nlog(kinds.first());",
        "let a={first(){return 1},get third(){return 3}};log(a.first());",
    ),
    # parameters, patterns, defaults
    (
        "function both(one, [two, ...rest], { three }) { return one + two + three; }",
        "function c(a,[b,...d],{three}){return a+b+three}",
    ),
    ("const sum = (one, two = 1) => one + two;", "let c=(a,b=1)=>a+b;"),
    ("const sum = (...all) => all.map((one) => one);", "let c=(...a)=>a.map((b)=>b);"),
    ("try { x(); } catch (problem) { log(problem); }", "try{x()}catch(a){log(a)}"),
    ("for (const [name, value] of it) log(name ? value : 0);", "for(let[a,b]of it)log(a?b:0);"),
    # what is no code stays to the letter
    (
        "const text = \"a  //  b\" + 'text = \\'' + `text  ${text}  \\` ${`in ${text}`} `;",
        "let a=\"a  //  b\"+'text = \\''+`text  ${a}  \\` ${`in ${a}`} `;",
    ),
    ("const form = /[/\"'`]  text/g, half = 4 / 2 / form;", "let a=/[/\"'`]  text/g,b=4/2/a;"),
    ("log(`${ { text: 1 }.text }`);", "log(`${{text:1}.text}`);"),
    # a line ends a statement where nothing else does
    ("let tall = 1\ntall\n++tall\nlog(tall)", "let a=1\na\n++a\nlog(a)"),
    ("const it = long\n  .map(x)\n  ? 1\n  : 2;", "let it=long.map(x)?1:2;"),
    ("if (long) {\n  log(1);\n}\nelse {\n  log(2);\n}", "if(long){log(1)}\nelse{log(2)}"),
    (
        'return typeof thing === "x" ? .5 : 1 .toFixed();',
        'return typeof thing==="x"?.5:1 .toFixed();',
    ),
    # names of the browser, keywords, names taken already
    (
        "function wide(document) { return document; }\ndocument.title;",
        "function a(document){return document}\ndocument.title;",
    ),
    ("let a = 1, second = 2; log(a, second);", "let a=1,b=2;log(a,b);"),
    # semicolons: the last of a block is idle, one that is a statement is not
    ("if (it) { log(1); while (x()); }", "if(it){log(1);while(x());}"),
    ("if (it) { x(y()); } else { for (;;); }", "if(it){x(y())}else{for(;;);}"),
    ("const it = () => { return { a: 1 }; };", "let it=()=>{return{a:1}};"),
    ("", ""),
]


@pytest.mark.parametrize(("script", "wanted"), SAME)
def test_it_says_the_same(script: str, wanted: str) -> None:
    assert squeezed(script) == wanted


@pytest.mark.parametrize("script", ['const a = "open', "`open ${1}", "log(\\)", "x = /open"])
def test_what_is_not_understood_is_an_error(script: str) -> None:
    with pytest.raises(ValueError, match="in a script"):
        squeezed(script)


def test_names_are_many_enough() -> None:
    """More than the letters, and none that a keyword or the script has."""
    names = [f"name{i}" for i in range(3000)]
    script = squeezed("".join(f"const {name} = 1;" for name in names) + "do_ = 1; if (it) x();")
    made = [part.removeprefix("let ").removesuffix("=1") for part in script.split(";")[:3000]]
    assert len(set(made)) == 3000
    assert not {"do", "if", "in", "of", "it", "x"} & set(made)
