"""The LaTeX around a paper's text: Times, one or two columns, packages of Debian's texlive-latex-recommended only."""

PREAMBLE = r"""% Made by ReproLab from paper/source.json and science_data.json; every number was injected from a measured file.
\documentclass[@options@,a4paper]{article}
\pdfinfoomitdate=1 \pdftrailerid{} \pdfsuppressptexinfo=-1
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{mathptmx}
\renewcommand{\ttdefault}{txtt}
\usepackage[scaled=0.9]{helvet}
\usepackage{amsmath,amssymb}
\usepackage[@margins@]{geometry}
\usepackage{graphicx,booktabs,longtable,array}
\usepackage[font=small,labelfont=bf,labelsep=period]{caption}
\usepackage{microtype}
\usepackage[numbers,sort&compress]{natbib}
\renewcommand{\bibfont}{\small}\setlength{\bibsep}{3pt}
\usepackage{xcolor}
\usepackage[colorlinks=true,allcolors=blue!45!black,breaklinks=true]{hyperref}
\newlength{\figurewidth}\setlength{\figurewidth}{\ifdim\columnwidth>110mm 0.74\columnwidth\else\columnwidth\fi}
\newcommand{\fitted}[1]{\sbox0{#1}\ifdim\wd0>\columnwidth\resizebox{\columnwidth}{!}{\usebox0}\else\usebox0\fi}
\setlength{\emergencystretch}{3em}\hyphenpenalty=200\clubpenalty=8000\widowpenalty=8000
\renewcommand{\topfraction}{0.9}\renewcommand{\textfraction}{0.07}\renewcommand{\floatpagefraction}{0.8}
\raggedbottom\renewcommand{\thefootnote}{\fnsymbol{footnote}}
\makeatletter
\renewcommand{\section}{\@startsection{section}{1}{0pt}{-2.2ex plus -1ex minus -.2ex}{1ex}{\normalfont\large\bfseries}}
\renewcommand{\subsection}{\@startsection{subsection}{2}{0pt}{-1.6ex plus -.6ex}{.5ex}{\normalfont\normalsize\bfseries}}
\renewcommand{\@listi}{\leftmargin\leftmargini\topsep 4pt plus 2pt minus 1pt\parsep 0pt\itemsep 2pt}\let\@listI\@listi\@listi
\makeatother
\title{\bfseries @title@}
\author{ReproLab\thanks{Written by language models from experiments that code measured; no person has checked it.}}
\date{}
@macros@
\begin{document}
\maketitle
\begin{abstract}
@abstract@
\end{abstract}
\suppressfloats[t]
"""

BOTTOM = r"""
@bibliography@

@evidence@
\end{document}
"""

AVAILABILITY = r"""
\section*{Code and data availability}\label{sec:availability}
{\raggedright\codeavailability\par}
"""


def class_parts(columns: int) -> dict[str, str]:
    """What fills the template's class options and margins."""
    two = columns == 2
    return {
        "@options@": "10pt,twocolumn" if two else "11pt",
        "@margins@": "margin=18mm,top=20mm,bottom=22mm,columnsep=7mm" if two else "margin=27mm",
    }


def template_of(columns: int) -> str:
    """The template with a place for each part."""
    text = PREAMBLE + "@sections@" + BOTTOM
    for mark, words in class_parts(columns).items():
        text = text.replace(mark, words)
    return text
