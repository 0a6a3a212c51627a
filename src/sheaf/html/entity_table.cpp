// Written by tools/make_entities.py; do not edit.
#include "sheaf/html/char_ref.h"

namespace sheaf::html {

// clang-format off
const char kEntityNames[] =
    "AEligAElig;AMPAMP;AacuteAacute;Abreve;AcircAcirc;Acy;Afr;AgraveAgrave;Alpha;Amacr;And;Aogon;Aopf"
    ";ApplyFunction;AringAring;Ascr;Assign;AtildeAtilde;AumlAuml;Backslash;Barv;Barwed;Bcy;Because;Be"
    "rnoullis;Beta;Bfr;Bopf;Breve;Bscr;Bumpeq;CHcy;COPYCOPY;Cacute;Cap;CapitalDifferentialD;Cayleys;C"
    "caron;CcedilCcedil;Ccirc;Cconint;Cdot;Cedilla;CenterDot;Cfr;Chi;CircleDot;CircleMinus;CirclePlus"
    ";CircleTimes;ClockwiseContourIntegral;CloseCurlyDoubleQuote;CloseCurlyQuote;Colon;Colone;Congrue"
    "nt;Conint;ContourIntegral;Copf;Coproduct;CounterClockwiseContourIntegral;Cross;Cscr;Cup;CupCap;D"
    "D;DDotrahd;DJcy;DScy;DZcy;Dagger;Darr;Dashv;Dcaron;Dcy;Del;Delta;Dfr;DiacriticalAcute;Diacritica"
    "lDot;DiacriticalDoubleAcute;DiacriticalGrave;DiacriticalTilde;Diamond;DifferentialD;Dopf;Dot;Dot"
    "Dot;DotEqual;DoubleContourIntegral;DoubleDot;DoubleDownArrow;DoubleLeftArrow;DoubleLeftRightArro"
    "w;DoubleLeftTee;DoubleLongLeftArrow;DoubleLongLeftRightArrow;DoubleLongRightArrow;DoubleRightArr"
    "ow;DoubleRightTee;DoubleUpArrow;DoubleUpDownArrow;DoubleVerticalBar;DownArrow;DownArrowBar;DownA"
    "rrowUpArrow;DownBreve;DownLeftRightVector;DownLeftTeeVector;DownLeftVector;DownLeftVectorBar;Dow"
    "nRightTeeVector;DownRightVector;DownRightVectorBar;DownTee;DownTeeArrow;Downarrow;Dscr;Dstrok;EN"
    "G;ETHETH;EacuteEacute;Ecaron;EcircEcirc;Ecy;Edot;Efr;EgraveEgrave;Element;Emacr;EmptySmallSquare"
    ";EmptyVerySmallSquare;Eogon;Eopf;Epsilon;Equal;EqualTilde;Equilibrium;Escr;Esim;Eta;EumlEuml;Exi"
    "sts;ExponentialE;Fcy;Ffr;FilledSmallSquare;FilledVerySmallSquare;Fopf;ForAll;Fouriertrf;Fscr;GJc"
    "y;GTGT;Gamma;Gammad;Gbreve;Gcedil;Gcirc;Gcy;Gdot;Gfr;Gg;Gopf;GreaterEqual;GreaterEqualLess;Great"
    "erFullEqual;GreaterGreater;GreaterLess;GreaterSlantEqual;GreaterTilde;Gscr;Gt;HARDcy;Hacek;Hat;H"
    "circ;Hfr;HilbertSpace;Hopf;HorizontalLine;Hscr;Hstrok;HumpDownHump;HumpEqual;IEcy;IJlig;IOcy;Iac"
    "uteIacute;IcircIcirc;Icy;Idot;Ifr;IgraveIgrave;Im;Imacr;ImaginaryI;Implies;Int;Integral;Intersec"
    "tion;InvisibleComma;InvisibleTimes;Iogon;Iopf;Iota;Iscr;Itilde;Iukcy;IumlIuml;Jcirc;Jcy;Jfr;Jopf"
    ";Jscr;Jsercy;Jukcy;KHcy;KJcy;Kappa;Kcedil;Kcy;Kfr;Kopf;Kscr;LJcy;LTLT;Lacute;Lambda;Lang;Laplace"
    "trf;Larr;Lcaron;Lcedil;Lcy;LeftAngleBracket;LeftArrow;LeftArrowBar;LeftArrowRightArrow;LeftCeili"
    "ng;LeftDoubleBracket;LeftDownTeeVector;LeftDownVector;LeftDownVectorBar;LeftFloor;LeftRightArrow"
    ";LeftRightVector;LeftTee;LeftTeeArrow;LeftTeeVector;LeftTriangle;LeftTriangleBar;LeftTriangleEqu"
    "al;LeftUpDownVector;LeftUpTeeVector;LeftUpVector;LeftUpVectorBar;LeftVector;LeftVectorBar;Leftar"
    "row;Leftrightarrow;LessEqualGreater;LessFullEqual;LessGreater;LessLess;LessSlantEqual;LessTilde;"
    "Lfr;Ll;Lleftarrow;Lmidot;LongLeftArrow;LongLeftRightArrow;LongRightArrow;Longleftarrow;Longleftr"
    "ightarrow;Longrightarrow;Lopf;LowerLeftArrow;LowerRightArrow;Lscr;Lsh;Lstrok;Lt;Map;Mcy;MediumSp"
    "ace;Mellintrf;Mfr;MinusPlus;Mopf;Mscr;Mu;NJcy;Nacute;Ncaron;Ncedil;Ncy;NegativeMediumSpace;Negat"
    "iveThickSpace;NegativeThinSpace;NegativeVeryThinSpace;NestedGreaterGreater;NestedLessLess;NewLin"
    "e;Nfr;NoBreak;NonBreakingSpace;Nopf;Not;NotCongruent;NotCupCap;NotDoubleVerticalBar;NotElement;N"
    "otEqual;NotEqualTilde;NotExists;NotGreater;NotGreaterEqual;NotGreaterFullEqual;NotGreaterGreater"
    ";NotGreaterLess;NotGreaterSlantEqual;NotGreaterTilde;NotHumpDownHump;NotHumpEqual;NotLeftTriangl"
    "e;NotLeftTriangleBar;NotLeftTriangleEqual;NotLess;NotLessEqual;NotLessGreater;NotLessLess;NotLes"
    "sSlantEqual;NotLessTilde;NotNestedGreaterGreater;NotNestedLessLess;NotPrecedes;NotPrecedesEqual;"
    "NotPrecedesSlantEqual;NotReverseElement;NotRightTriangle;NotRightTriangleBar;NotRightTriangleEqu"
    "al;NotSquareSubset;NotSquareSubsetEqual;NotSquareSuperset;NotSquareSupersetEqual;NotSubset;NotSu"
    "bsetEqual;NotSucceeds;NotSucceedsEqual;NotSucceedsSlantEqual;NotSucceedsTilde;NotSuperset;NotSup"
    "ersetEqual;NotTilde;NotTildeEqual;NotTildeFullEqual;NotTildeTilde;NotVerticalBar;Nscr;NtildeNtil"
    "de;Nu;OElig;OacuteOacute;OcircOcirc;Ocy;Odblac;Ofr;OgraveOgrave;Omacr;Omega;Omicron;Oopf;OpenCur"
    "lyDoubleQuote;OpenCurlyQuote;Or;Oscr;OslashOslash;OtildeOtilde;Otimes;OumlOuml;OverBar;OverBrace"
    ";OverBracket;OverParenthesis;PartialD;Pcy;Pfr;Phi;Pi;PlusMinus;Poincareplane;Popf;Pr;Precedes;Pr"
    "ecedesEqual;PrecedesSlantEqual;PrecedesTilde;Prime;Product;Proportion;Proportional;Pscr;Psi;QUOT"
    "QUOT;Qfr;Qopf;Qscr;RBarr;REGREG;Racute;Rang;Rarr;Rarrtl;Rcaron;Rcedil;Rcy;Re;ReverseElement;Reve"
    "rseEquilibrium;ReverseUpEquilibrium;Rfr;Rho;RightAngleBracket;RightArrow;RightArrowBar;RightArro"
    "wLeftArrow;RightCeiling;RightDoubleBracket;RightDownTeeVector;RightDownVector;RightDownVectorBar"
    ";RightFloor;RightTee;RightTeeArrow;RightTeeVector;RightTriangle;RightTriangleBar;RightTriangleEq"
    "ual;RightUpDownVector;RightUpTeeVector;RightUpVector;RightUpVectorBar;RightVector;RightVectorBar"
    ";Rightarrow;Ropf;RoundImplies;Rrightarrow;Rscr;Rsh;RuleDelayed;SHCHcy;SHcy;SOFTcy;Sacute;Sc;Scar"
    "on;Scedil;Scirc;Scy;Sfr;ShortDownArrow;ShortLeftArrow;ShortRightArrow;ShortUpArrow;Sigma;SmallCi"
    "rcle;Sopf;Sqrt;Square;SquareIntersection;SquareSubset;SquareSubsetEqual;SquareSuperset;SquareSup"
    "ersetEqual;SquareUnion;Sscr;Star;Sub;Subset;SubsetEqual;Succeeds;SucceedsEqual;SucceedsSlantEqua"
    "l;SucceedsTilde;SuchThat;Sum;Sup;Superset;SupersetEqual;Supset;THORNTHORN;TRADE;TSHcy;TScy;Tab;T"
    "au;Tcaron;Tcedil;Tcy;Tfr;Therefore;Theta;ThickSpace;ThinSpace;Tilde;TildeEqual;TildeFullEqual;Ti"
    "ldeTilde;Topf;TripleDot;Tscr;Tstrok;UacuteUacute;Uarr;Uarrocir;Ubrcy;Ubreve;UcircUcirc;Ucy;Udbla"
    "c;Ufr;UgraveUgrave;Umacr;UnderBar;UnderBrace;UnderBracket;UnderParenthesis;Union;UnionPlus;Uogon"
    ";Uopf;UpArrow;UpArrowBar;UpArrowDownArrow;UpDownArrow;UpEquilibrium;UpTee;UpTeeArrow;Uparrow;Upd"
    "ownarrow;UpperLeftArrow;UpperRightArrow;Upsi;Upsilon;Uring;Uscr;Utilde;UumlUuml;VDash;Vbar;Vcy;V"
    "dash;Vdashl;Vee;Verbar;Vert;VerticalBar;VerticalLine;VerticalSeparator;VerticalTilde;VeryThinSpa"
    "ce;Vfr;Vopf;Vscr;Vvdash;Wcirc;Wedge;Wfr;Wopf;Wscr;Xfr;Xi;Xopf;Xscr;YAcy;YIcy;YUcy;YacuteYacute;Y"
    "circ;Ycy;Yfr;Yopf;Yscr;Yuml;ZHcy;Zacute;Zcaron;Zcy;Zdot;ZeroWidthSpace;Zeta;Zfr;Zopf;Zscr;aacute"
    "aacute;abreve;ac;acE;acd;acircacirc;acuteacute;acy;aeligaelig;af;afr;agraveagrave;alefsym;aleph;"
    "alpha;amacr;amalg;ampamp;and;andand;andd;andslope;andv;ang;ange;angle;angmsd;angmsdaa;angmsdab;a"
    "ngmsdac;angmsdad;angmsdae;angmsdaf;angmsdag;angmsdah;angrt;angrtvb;angrtvbd;angsph;angst;angzarr"
    ";aogon;aopf;ap;apE;apacir;ape;apid;apos;approx;approxeq;aringaring;ascr;ast;asymp;asympeq;atilde"
    "atilde;aumlauml;awconint;awint;bNot;backcong;backepsilon;backprime;backsim;backsimeq;barvee;barw"
    "ed;barwedge;bbrk;bbrktbrk;bcong;bcy;bdquo;becaus;because;bemptyv;bepsi;bernou;beta;beth;between;"
    "bfr;bigcap;bigcirc;bigcup;bigodot;bigoplus;bigotimes;bigsqcup;bigstar;bigtriangledown;bigtriangl"
    "eup;biguplus;bigvee;bigwedge;bkarow;blacklozenge;blacksquare;blacktriangle;blacktriangledown;bla"
    "cktriangleleft;blacktriangleright;blank;blk12;blk14;blk34;block;bne;bnequiv;bnot;bopf;bot;bottom"
    ";bowtie;boxDL;boxDR;boxDl;boxDr;boxH;boxHD;boxHU;boxHd;boxHu;boxUL;boxUR;boxUl;boxUr;boxV;boxVH;"
    "boxVL;boxVR;boxVh;boxVl;boxVr;boxbox;boxdL;boxdR;boxdl;boxdr;boxh;boxhD;boxhU;boxhd;boxhu;boxmin"
    "us;boxplus;boxtimes;boxuL;boxuR;boxul;boxur;boxv;boxvH;boxvL;boxvR;boxvh;boxvl;boxvr;bprime;brev"
    "e;brvbarbrvbar;bscr;bsemi;bsim;bsime;bsol;bsolb;bsolhsub;bull;bullet;bump;bumpE;bumpe;bumpeq;cac"
    "ute;cap;capand;capbrcup;capcap;capcup;capdot;caps;caret;caron;ccaps;ccaron;ccedilccedil;ccirc;cc"
    "ups;ccupssm;cdot;cedilcedil;cemptyv;centcent;centerdot;cfr;chcy;check;checkmark;chi;cir;cirE;cir"
    "c;circeq;circlearrowleft;circlearrowright;circledR;circledS;circledast;circledcirc;circleddash;c"
    "ire;cirfnint;cirmid;cirscir;clubs;clubsuit;colon;colone;coloneq;comma;commat;comp;compfn;complem"
    "ent;complexes;cong;congdot;conint;copf;coprod;copycopy;copysr;crarr;cross;cscr;csub;csube;csup;c"
    "supe;ctdot;cudarrl;cudarrr;cuepr;cuesc;cularr;cularrp;cup;cupbrcap;cupcap;cupcup;cupdot;cupor;cu"
    "ps;curarr;curarrm;curlyeqprec;curlyeqsucc;curlyvee;curlywedge;currencurren;curvearrowleft;curvea"
    "rrowright;cuvee;cuwed;cwconint;cwint;cylcty;dArr;dHar;dagger;daleth;darr;dash;dashv;dbkarow;dbla"
    "c;dcaron;dcy;dd;ddagger;ddarr;ddotseq;degdeg;delta;demptyv;dfisht;dfr;dharl;dharr;diam;diamond;d"
    "iamondsuit;diams;die;digamma;disin;div;dividedivide;divideontimes;divonx;djcy;dlcorn;dlcrop;doll"
    "ar;dopf;dot;doteq;doteqdot;dotminus;dotplus;dotsquare;doublebarwedge;downarrow;downdownarrows;do"
    "wnharpoonleft;downharpoonright;drbkarow;drcorn;drcrop;dscr;dscy;dsol;dstrok;dtdot;dtri;dtrif;dua"
    "rr;duhar;dwangle;dzcy;dzigrarr;eDDot;eDot;eacuteeacute;easter;ecaron;ecir;ecircecirc;ecolon;ecy;"
    "edot;ee;efDot;efr;eg;egraveegrave;egs;egsdot;el;elinters;ell;els;elsdot;emacr;empty;emptyset;emp"
    "tyv;emsp13;emsp14;emsp;eng;ensp;eogon;eopf;epar;eparsl;eplus;epsi;epsilon;epsiv;eqcirc;eqcolon;e"
    "qsim;eqslantgtr;eqslantless;equals;equest;equiv;equivDD;eqvparsl;erDot;erarr;escr;esdot;esim;eta"
    ";etheth;eumleuml;euro;excl;exist;expectation;exponentiale;fallingdotseq;fcy;female;ffilig;fflig;"
    "ffllig;ffr;filig;fjlig;flat;fllig;fltns;fnof;fopf;forall;fork;forkv;fpartint;frac12frac12;frac13"
    ";frac14frac14;frac15;frac16;frac18;frac23;frac25;frac34frac34;frac35;frac38;frac45;frac56;frac58"
    ";frac78;frasl;frown;fscr;gE;gEl;gacute;gamma;gammad;gap;gbreve;gcirc;gcy;gdot;ge;gel;geq;geqq;ge"
    "qslant;ges;gescc;gesdot;gesdoto;gesdotol;gesl;gesles;gfr;gg;ggg;gimel;gjcy;gl;glE;gla;glj;gnE;gn"
    "ap;gnapprox;gne;gneq;gneqq;gnsim;gopf;grave;gscr;gsim;gsime;gsiml;gtgt;gtcc;gtcir;gtdot;gtlPar;g"
    "tquest;gtrapprox;gtrarr;gtrdot;gtreqless;gtreqqless;gtrless;gtrsim;gvertneqq;gvnE;hArr;hairsp;ha"
    "lf;hamilt;hardcy;harr;harrcir;harrw;hbar;hcirc;hearts;heartsuit;hellip;hercon;hfr;hksearow;hkswa"
    "row;hoarr;homtht;hookleftarrow;hookrightarrow;hopf;horbar;hscr;hslash;hstrok;hybull;hyphen;iacut"
    "eiacute;ic;icircicirc;icy;iecy;iexcliexcl;iff;ifr;igraveigrave;ii;iiiint;iiint;iinfin;iiota;ijli"
    "g;imacr;image;imagline;imagpart;imath;imof;imped;in;incare;infin;infintie;inodot;int;intcal;inte"
    "gers;intercal;intlarhk;intprod;iocy;iogon;iopf;iota;iprod;iquestiquest;iscr;isin;isinE;isindot;i"
    "sins;isinsv;isinv;it;itilde;iukcy;iumliuml;jcirc;jcy;jfr;jmath;jopf;jscr;jsercy;jukcy;kappa;kapp"
    "av;kcedil;kcy;kfr;kgreen;khcy;kjcy;kopf;kscr;lAarr;lArr;lAtail;lBarr;lE;lEg;lHar;lacute;laemptyv"
    ";lagran;lambda;lang;langd;langle;lap;laquolaquo;larr;larrb;larrbfs;larrfs;larrhk;larrlp;larrpl;l"
    "arrsim;larrtl;lat;latail;late;lates;lbarr;lbbrk;lbrace;lbrack;lbrke;lbrksld;lbrkslu;lcaron;lcedi"
    "l;lceil;lcub;lcy;ldca;ldquo;ldquor;ldrdhar;ldrushar;ldsh;le;leftarrow;leftarrowtail;leftharpoond"
    "own;leftharpoonup;leftleftarrows;leftrightarrow;leftrightarrows;leftrightharpoons;leftrightsquig"
    "arrow;leftthreetimes;leg;leq;leqq;leqslant;les;lescc;lesdot;lesdoto;lesdotor;lesg;lesges;lessapp"
    "rox;lessdot;lesseqgtr;lesseqqgtr;lessgtr;lesssim;lfisht;lfloor;lfr;lg;lgE;lhard;lharu;lharul;lhb"
    "lk;ljcy;ll;llarr;llcorner;llhard;lltri;lmidot;lmoust;lmoustache;lnE;lnap;lnapprox;lne;lneq;lneqq"
    ";lnsim;loang;loarr;lobrk;longleftarrow;longleftrightarrow;longmapsto;longrightarrow;looparrowlef"
    "t;looparrowright;lopar;lopf;loplus;lotimes;lowast;lowbar;loz;lozenge;lozf;lpar;lparlt;lrarr;lrco"
    "rner;lrhar;lrhard;lrm;lrtri;lsaquo;lscr;lsh;lsim;lsime;lsimg;lsqb;lsquo;lsquor;lstrok;ltlt;ltcc;"
    "ltcir;ltdot;lthree;ltimes;ltlarr;ltquest;ltrPar;ltri;ltrie;ltrif;lurdshar;luruhar;lvertneqq;lvnE"
    ";mDDot;macrmacr;male;malt;maltese;map;mapsto;mapstodown;mapstoleft;mapstoup;marker;mcomma;mcy;md"
    "ash;measuredangle;mfr;mho;micromicro;mid;midast;midcir;middotmiddot;minus;minusb;minusd;minusdu;"
    "mlcp;mldr;mnplus;models;mopf;mp;mscr;mstpos;mu;multimap;mumap;nGg;nGt;nGtv;nLeftarrow;nLeftright"
    "arrow;nLl;nLt;nLtv;nRightarrow;nVDash;nVdash;nabla;nacute;nang;nap;napE;napid;napos;napprox;natu"
    "r;natural;naturals;nbspnbsp;nbump;nbumpe;ncap;ncaron;ncedil;ncong;ncongdot;ncup;ncy;ndash;ne;neA"
    "rr;nearhk;nearr;nearrow;nedot;nequiv;nesear;nesim;nexist;nexists;nfr;ngE;nge;ngeq;ngeqq;ngeqslan"
    "t;nges;ngsim;ngt;ngtr;nhArr;nharr;nhpar;ni;nis;nisd;niv;njcy;nlArr;nlE;nlarr;nldr;nle;nleftarrow"
    ";nleftrightarrow;nleq;nleqq;nleqslant;nles;nless;nlsim;nlt;nltri;nltrie;nmid;nopf;notnot;notin;n"
    "otinE;notindot;notinva;notinvb;notinvc;notni;notniva;notnivb;notnivc;npar;nparallel;nparsl;npart"
    ";npolint;npr;nprcue;npre;nprec;npreceq;nrArr;nrarr;nrarrc;nrarrw;nrightarrow;nrtri;nrtrie;nsc;ns"
    "ccue;nsce;nscr;nshortmid;nshortparallel;nsim;nsime;nsimeq;nsmid;nspar;nsqsube;nsqsupe;nsub;nsubE"
    ";nsube;nsubset;nsubseteq;nsubseteqq;nsucc;nsucceq;nsup;nsupE;nsupe;nsupset;nsupseteq;nsupseteqq;"
    "ntgl;ntildentilde;ntlg;ntriangleleft;ntrianglelefteq;ntriangleright;ntrianglerighteq;nu;num;nume"
    "ro;numsp;nvDash;nvHarr;nvap;nvdash;nvge;nvgt;nvinfin;nvlArr;nvle;nvlt;nvltrie;nvrArr;nvrtrie;nvs"
    "im;nwArr;nwarhk;nwarr;nwarrow;nwnear;oS;oacuteoacute;oast;ocir;ocircocirc;ocy;odash;odblac;odiv;"
    "odot;odsold;oelig;ofcir;ofr;ogon;ograveograve;ogt;ohbar;ohm;oint;olarr;olcir;olcross;oline;olt;o"
    "macr;omega;omicron;omid;ominus;oopf;opar;operp;oplus;or;orarr;ord;order;orderof;ordfordf;ordmord"
    "m;origof;oror;orslope;orv;oscr;oslashoslash;osol;otildeotilde;otimes;otimesas;oumlouml;ovbar;par"
    ";parapara;parallel;parsim;parsl;part;pcy;percnt;period;permil;perp;pertenk;pfr;phi;phiv;phmmat;p"
    "hone;pi;pitchfork;piv;planck;planckh;plankv;plus;plusacir;plusb;pluscir;plusdo;plusdu;pluse;plus"
    "mnplusmn;plussim;plustwo;pm;pointint;popf;poundpound;pr;prE;prap;prcue;pre;prec;precapprox;precc"
    "urlyeq;preceq;precnapprox;precneqq;precnsim;precsim;prime;primes;prnE;prnap;prnsim;prod;profalar"
    ";profline;profsurf;prop;propto;prsim;prurel;pscr;psi;puncsp;qfr;qint;qopf;qprime;qscr;quaternion"
    "s;quatint;quest;questeq;quotquot;rAarr;rArr;rAtail;rBarr;rHar;race;racute;radic;raemptyv;rang;ra"
    "ngd;range;rangle;raquoraquo;rarr;rarrap;rarrb;rarrbfs;rarrc;rarrfs;rarrhk;rarrlp;rarrpl;rarrsim;"
    "rarrtl;rarrw;ratail;ratio;rationals;rbarr;rbbrk;rbrace;rbrack;rbrke;rbrksld;rbrkslu;rcaron;rcedi"
    "l;rceil;rcub;rcy;rdca;rdldhar;rdquo;rdquor;rdsh;real;realine;realpart;reals;rect;regreg;rfisht;r"
    "floor;rfr;rhard;rharu;rharul;rho;rhov;rightarrow;rightarrowtail;rightharpoondown;rightharpoonup;"
    "rightleftarrows;rightleftharpoons;rightrightarrows;rightsquigarrow;rightthreetimes;ring;risingdo"
    "tseq;rlarr;rlhar;rlm;rmoust;rmoustache;rnmid;roang;roarr;robrk;ropar;ropf;roplus;rotimes;rpar;rp"
    "argt;rppolint;rrarr;rsaquo;rscr;rsh;rsqb;rsquo;rsquor;rthree;rtimes;rtri;rtrie;rtrif;rtriltri;ru"
    "luhar;rx;sacute;sbquo;sc;scE;scap;scaron;sccue;sce;scedil;scirc;scnE;scnap;scnsim;scpolint;scsim"
    ";scy;sdot;sdotb;sdote;seArr;searhk;searr;searrow;sectsect;semi;seswar;setminus;setmn;sext;sfr;sf"
    "rown;sharp;shchcy;shcy;shortmid;shortparallel;shyshy;sigma;sigmaf;sigmav;sim;simdot;sime;simeq;s"
    "img;simgE;siml;simlE;simne;simplus;simrarr;slarr;smallsetminus;smashp;smeparsl;smid;smile;smt;sm"
    "te;smtes;softcy;sol;solb;solbar;sopf;spades;spadesuit;spar;sqcap;sqcaps;sqcup;sqcups;sqsub;sqsub"
    "e;sqsubset;sqsubseteq;sqsup;sqsupe;sqsupset;sqsupseteq;squ;square;squarf;squf;srarr;sscr;ssetmn;"
    "ssmile;sstarf;star;starf;straightepsilon;straightphi;strns;sub;subE;subdot;sube;subedot;submult;"
    "subnE;subne;subplus;subrarr;subset;subseteq;subseteqq;subsetneq;subsetneqq;subsim;subsub;subsup;"
    "succ;succapprox;succcurlyeq;succeq;succnapprox;succneqq;succnsim;succsim;sum;sung;sup1sup1;sup2s"
    "up2;sup3sup3;sup;supE;supdot;supdsub;supe;supedot;suphsol;suphsub;suplarr;supmult;supnE;supne;su"
    "pplus;supset;supseteq;supseteqq;supsetneq;supsetneqq;supsim;supsub;supsup;swArr;swarhk;swarr;swa"
    "rrow;swnwar;szligszlig;target;tau;tbrk;tcaron;tcedil;tcy;tdot;telrec;tfr;there4;therefore;theta;"
    "thetasym;thetav;thickapprox;thicksim;thinsp;thkap;thksim;thornthorn;tilde;timestimes;timesb;time"
    "sbar;timesd;tint;toea;top;topbot;topcir;topf;topfork;tosa;tprime;trade;triangle;triangledown;tri"
    "angleleft;trianglelefteq;triangleq;triangleright;trianglerighteq;tridot;trie;triminus;triplus;tr"
    "isb;tritime;trpezium;tscr;tscy;tshcy;tstrok;twixt;twoheadleftarrow;twoheadrightarrow;uArr;uHar;u"
    "acuteuacute;uarr;ubrcy;ubreve;ucircucirc;ucy;udarr;udblac;udhar;ufisht;ufr;ugraveugrave;uharl;uh"
    "arr;uhblk;ulcorn;ulcorner;ulcrop;ultri;umacr;umluml;uogon;uopf;uparrow;updownarrow;upharpoonleft"
    ";upharpoonright;uplus;upsi;upsih;upsilon;upuparrows;urcorn;urcorner;urcrop;uring;urtri;uscr;utdo"
    "t;utilde;utri;utrif;uuarr;uumluuml;uwangle;vArr;vBar;vBarv;vDash;vangrt;varepsilon;varkappa;varn"
    "othing;varphi;varpi;varpropto;varr;varrho;varsigma;varsubsetneq;varsubsetneqq;varsupsetneq;varsu"
    "psetneqq;vartheta;vartriangleleft;vartriangleright;vcy;vdash;vee;veebar;veeeq;vellip;verbar;vert"
    ";vfr;vltri;vnsub;vnsup;vopf;vprop;vrtri;vscr;vsubnE;vsubne;vsupnE;vsupne;vzigzag;wcirc;wedbar;we"
    "dge;wedgeq;weierp;wfr;wopf;wp;wr;wreath;wscr;xcap;xcirc;xcup;xdtri;xfr;xhArr;xharr;xi;xlArr;xlar"
    "r;xmap;xnis;xodot;xopf;xoplus;xotime;xrArr;xrarr;xscr;xsqcup;xuplus;xutri;xvee;xwedge;yacuteyacu"
    "te;yacy;ycirc;ycy;yenyen;yfr;yicy;yopf;yscr;yucy;yumlyuml;zacute;zcaron;zcy;zdot;zeetrf;zeta;zfr"
    ";zhcy;zigrarr;zopf;zscr;zwj;zwnj;";

const char kEntityValues[] =
    "\303\206&\303\201\304\202\303\202\320\220\360\235\224\204\303\200\316\221\304\200\342\251\223"
    "\304\204\360\235\224\270\342\201\241\303\205\360\235\222\234\342\211\224\303\203\303\204\342\210"
    "\226\342\253\247\342\214\206\320\221\342\210\265\342\204\254\316\222\360\235\224\205\360\235\224"
    "\271\313\230\342\211\216\320\247\302\251\304\206\342\213\222\342\205\205\342\204\255\304\214\303"
    "\207\304\210\342\210\260\304\212\302\270\302\267\316\247\342\212\231\342\212\226\342\212\225\342"
    "\212\227\342\210\262\342\200\235\342\200\231\342\210\267\342\251\264\342\211\241\342\210\257\342"
    "\210\256\342\204\202\342\210\220\342\210\263\342\250\257\360\235\222\236\342\213\223\342\211\215"
    "\342\244\221\320\202\320\205\320\217\342\200\241\342\206\241\342\253\244\304\216\320\224\342\210"
    "\207\316\224\360\235\224\207\302\264\313\231\313\235`\313\234\342\213\204\342\205\206\360\235"
    "\224\273\302\250\342\203\234\342\211\220\342\207\223\342\207\220\342\207\224\342\237\270\342\237"
    "\272\342\237\271\342\207\222\342\212\250\342\207\221\342\207\225\342\210\245\342\206\223\342\244"
    "\223\342\207\265\314\221\342\245\220\342\245\236\342\206\275\342\245\226\342\245\237\342\207\201"
    "\342\245\227\342\212\244\342\206\247\360\235\222\237\304\220\305\212\303\220\303\211\304\232\303"
    "\212\320\255\304\226\360\235\224\210\303\210\342\210\210\304\222\342\227\273\342\226\253\304\230"
    "\360\235\224\274\316\225\342\251\265\342\211\202\342\207\214\342\204\260\342\251\263\316\227\303"
    "\213\342\210\203\342\205\207\320\244\360\235\224\211\342\227\274\342\226\252\360\235\224\275\342"
    "\210\200\342\204\261\320\203>\316\223\317\234\304\236\304\242\304\234\320\223\304\240\360\235"
    "\224\212\342\213\231\360\235\224\276\342\211\245\342\213\233\342\211\247\342\252\242\342\211\267"
    "\342\251\276\342\211\263\360\235\222\242\342\211\253\320\252\313\207^\304\244\342\204\214\342"
    "\204\213\342\204\215\342\224\200\304\246\342\211\217\320\225\304\262\320\201\303\215\303\216\320"
    "\230\304\260\342\204\221\303\214\304\252\342\205\210\342\210\254\342\210\253\342\213\202\342\201"
    "\243\342\201\242\304\256\360\235\225\200\316\231\342\204\220\304\250\320\206\303\217\304\264\320"
    "\231\360\235\224\215\360\235\225\201\360\235\222\245\320\210\320\204\320\245\320\214\316\232\304"
    "\266\320\232\360\235\224\216\360\235\225\202\360\235\222\246\320\211<\304\271\316\233\342\237"
    "\252\342\204\222\342\206\236\304\275\304\273\320\233\342\237\250\342\206\220\342\207\244\342\207"
    "\206\342\214\210\342\237\246\342\245\241\342\207\203\342\245\231\342\214\212\342\206\224\342\245"
    "\216\342\212\243\342\206\244\342\245\232\342\212\262\342\247\217\342\212\264\342\245\221\342\245"
    "\240\342\206\277\342\245\230\342\206\274\342\245\222\342\213\232\342\211\246\342\211\266\342\252"
    "\241\342\251\275\342\211\262\360\235\224\217\342\213\230\342\207\232\304\277\342\237\265\342\237"
    "\267\342\237\266\360\235\225\203\342\206\231\342\206\230\342\206\260\305\201\342\211\252\342\244"
    "\205\320\234\342\201\237\342\204\263\360\235\224\220\342\210\223\360\235\225\204\316\234\320\212"
    "\305\203\305\207\305\205\320\235\342\200\213\012\360\235\224\221\342\201\240\302\240\342\204\225"
    "\342\253\254\342\211\242\342\211\255\342\210\246\342\210\211\342\211\240\342\211\202\314\270\342"
    "\210\204\342\211\257\342\211\261\342\211\247\314\270\342\211\253\314\270\342\211\271\342\251\276"
    "\314\270\342\211\265\342\211\216\314\270\342\211\217\314\270\342\213\252\342\247\217\314\270\342"
    "\213\254\342\211\256\342\211\260\342\211\270\342\211\252\314\270\342\251\275\314\270\342\211\264"
    "\342\252\242\314\270\342\252\241\314\270\342\212\200\342\252\257\314\270\342\213\240\342\210\214"
    "\342\213\253\342\247\220\314\270\342\213\255\342\212\217\314\270\342\213\242\342\212\220\314\270"
    "\342\213\243\342\212\202\342\203\222\342\212\210\342\212\201\342\252\260\314\270\342\213\241\342"
    "\211\277\314\270\342\212\203\342\203\222\342\212\211\342\211\201\342\211\204\342\211\207\342\211"
    "\211\342\210\244\360\235\222\251\303\221\316\235\305\222\303\223\303\224\320\236\305\220\360\235"
    "\224\222\303\222\305\214\316\251\316\237\360\235\225\206\342\200\234\342\200\230\342\251\224\360"
    "\235\222\252\303\230\303\225\342\250\267\303\226\342\200\276\342\217\236\342\216\264\342\217\234"
    "\342\210\202\320\237\360\235\224\223\316\246\316\240\302\261\342\204\231\342\252\273\342\211\272"
    "\342\252\257\342\211\274\342\211\276\342\200\263\342\210\217\342\210\235\360\235\222\253\316\250"
    "\042\360\235\224\224\342\204\232\360\235\222\254\342\244\220\302\256\305\224\342\237\253\342\206"
    "\240\342\244\226\305\230\305\226\320\240\342\204\234\342\210\213\342\207\213\342\245\257\316\241"
    "\342\237\251\342\206\222\342\207\245\342\207\204\342\214\211\342\237\247\342\245\235\342\207\202"
    "\342\245\225\342\214\213\342\212\242\342\206\246\342\245\233\342\212\263\342\247\220\342\212\265"
    "\342\245\217\342\245\234\342\206\276\342\245\224\342\207\200\342\245\223\342\204\235\342\245\260"
    "\342\207\233\342\204\233\342\206\261\342\247\264\320\251\320\250\320\254\305\232\342\252\274\305"
    "\240\305\236\305\234\320\241\360\235\224\226\342\206\221\316\243\342\210\230\360\235\225\212\342"
    "\210\232\342\226\241\342\212\223\342\212\217\342\212\221\342\212\220\342\212\222\342\212\224\360"
    "\235\222\256\342\213\206\342\213\220\342\212\206\342\211\273\342\252\260\342\211\275\342\211\277"
    "\342\210\221\342\213\221\342\212\203\342\212\207\303\236\342\204\242\320\213\320\246\011\316\244"
    "\305\244\305\242\320\242\360\235\224\227\342\210\264\316\230\342\201\237\342\200\212\342\200\211"
    "\342\210\274\342\211\203\342\211\205\342\211\210\360\235\225\213\342\203\233\360\235\222\257\305"
    "\246\303\232\342\206\237\342\245\211\320\216\305\254\303\233\320\243\305\260\360\235\224\230\303"
    "\231\305\252_\342\217\237\342\216\265\342\217\235\342\213\203\342\212\216\305\262\360\235\225"
    "\214\342\244\222\342\207\205\342\206\225\342\245\256\342\212\245\342\206\245\342\206\226\342\206"
    "\227\317\222\316\245\305\256\360\235\222\260\305\250\303\234\342\212\253\342\253\253\320\222\342"
    "\212\251\342\253\246\342\213\201\342\200\226\342\210\243|\342\235\230\342\211\200\342\200\212"
    "\360\235\224\231\360\235\225\215\360\235\222\261\342\212\252\305\264\342\213\200\360\235\224\232"
    "\360\235\225\216\360\235\222\262\360\235\224\233\316\236\360\235\225\217\360\235\222\263\320\257"
    "\320\207\320\256\303\235\305\266\320\253\360\235\224\234\360\235\225\220\360\235\222\264\305\270"
    "\320\226\305\271\305\275\320\227\305\273\316\226\342\204\250\342\204\244\360\235\222\265\303\241"
    "\304\203\342\210\276\342\210\276\314\263\342\210\277\303\242\320\260\303\246\360\235\224\236\303"
    "\240\342\204\265\316\261\304\201\342\250\277\342\210\247\342\251\225\342\251\234\342\251\230\342"
    "\251\232\342\210\240\342\246\244\342\210\241\342\246\250\342\246\251\342\246\252\342\246\253\342"
    "\246\254\342\246\255\342\246\256\342\246\257\342\210\237\342\212\276\342\246\235\342\210\242\342"
    "\215\274\304\205\360\235\225\222\342\251\260\342\251\257\342\211\212\342\211\213'\303\245\360"
    "\235\222\266*\303\243\303\244\342\250\221\342\253\255\342\211\214\317\266\342\200\265\342\210"
    "\275\342\213\215\342\212\275\342\214\205\342\216\266\320\261\342\200\236\342\246\260\316\262\342"
    "\204\266\342\211\254\360\235\224\237\342\227\257\342\250\200\342\250\201\342\250\202\342\250\206"
    "\342\230\205\342\226\275\342\226\263\342\250\204\342\244\215\342\247\253\342\226\264\342\226\276"
    "\342\227\202\342\226\270\342\220\243\342\226\222\342\226\221\342\226\223\342\226\210=\342\203"
    "\245\342\211\241\342\203\245\342\214\220\360\235\225\223\342\213\210\342\225\227\342\225\224\342"
    "\225\226\342\225\223\342\225\220\342\225\246\342\225\251\342\225\244\342\225\247\342\225\235\342"
    "\225\232\342\225\234\342\225\231\342\225\221\342\225\254\342\225\243\342\225\240\342\225\253\342"
    "\225\242\342\225\237\342\247\211\342\225\225\342\225\222\342\224\220\342\224\214\342\225\245\342"
    "\225\250\342\224\254\342\224\264\342\212\237\342\212\236\342\212\240\342\225\233\342\225\230\342"
    "\224\230\342\224\224\342\224\202\342\225\252\342\225\241\342\225\236\342\224\274\342\224\244\342"
    "\224\234\302\246\360\235\222\267\342\201\217\134\342\247\205\342\237\210\342\200\242\342\252\256"
    "\304\207\342\210\251\342\251\204\342\251\211\342\251\213\342\251\207\342\251\200\342\210\251\357"
    "\270\200\342\201\201\342\251\215\304\215\303\247\304\211\342\251\214\342\251\220\304\213\342\246"
    "\262\302\242\360\235\224\240\321\207\342\234\223\317\207\342\227\213\342\247\203\313\206\342\211"
    "\227\342\206\272\342\206\273\342\223\210\342\212\233\342\212\232\342\212\235\342\250\220\342\253"
    "\257\342\247\202\342\231\243:,@\342\210\201\342\251\255\360\235\225\224\342\204\227\342\206\265"
    "\342\234\227\360\235\222\270\342\253\217\342\253\221\342\253\220\342\253\222\342\213\257\342\244"
    "\270\342\244\265\342\213\236\342\213\237\342\206\266\342\244\275\342\210\252\342\251\210\342\251"
    "\206\342\251\212\342\212\215\342\251\205\342\210\252\357\270\200\342\206\267\342\244\274\342\213"
    "\216\342\213\217\302\244\342\210\261\342\214\255\342\245\245\342\200\240\342\204\270\342\200\220"
    "\342\244\217\304\217\320\264\342\207\212\342\251\267\302\260\316\264\342\246\261\342\245\277\360"
    "\235\224\241\342\231\246\317\235\342\213\262\303\267\342\213\207\321\222\342\214\236\342\214\215"
    "$\360\235\225\225\342\211\221\342\210\270\342\210\224\342\212\241\342\214\237\342\214\214\360"
    "\235\222\271\321\225\342\247\266\304\221\342\213\261\342\226\277\342\246\246\321\237\342\237\277"
    "\303\251\342\251\256\304\233\342\211\226\303\252\342\211\225\321\215\304\227\342\211\222\360\235"
    "\224\242\342\252\232\303\250\342\252\226\342\252\230\342\252\231\342\217\247\342\204\223\342\252"
    "\225\342\252\227\304\223\342\210\205\342\200\204\342\200\205\342\200\203\305\213\342\200\202\304"
    "\231\360\235\225\226\342\213\225\342\247\243\342\251\261\316\265\317\265=\342\211\237\342\251"
    "\270\342\247\245\342\211\223\342\245\261\342\204\257\316\267\303\260\303\253\342\202\254!\321"
    "\204\342\231\200\357\254\203\357\254\200\357\254\204\360\235\224\243\357\254\201fj\342\231\255"
    "\357\254\202\342\226\261\306\222\360\235\225\227\342\213\224\342\253\231\342\250\215\302\275\342"
    "\205\223\302\274\342\205\225\342\205\231\342\205\233\342\205\224\342\205\226\302\276\342\205\227"
    "\342\205\234\342\205\230\342\205\232\342\205\235\342\205\236\342\201\204\342\214\242\360\235\222"
    "\273\342\252\214\307\265\316\263\342\252\206\304\237\304\235\320\263\304\241\342\252\251\342\252"
    "\200\342\252\202\342\252\204\342\213\233\357\270\200\342\252\224\360\235\224\244\342\204\267\321"
    "\223\342\252\222\342\252\245\342\252\244\342\211\251\342\252\212\342\252\210\342\213\247\360\235"
    "\225\230\342\204\212\342\252\216\342\252\220\342\252\247\342\251\272\342\213\227\342\246\225\342"
    "\251\274\342\245\270\342\211\251\357\270\200\321\212\342\245\210\342\206\255\342\204\217\304\245"
    "\342\231\245\342\200\246\342\212\271\360\235\224\245\342\244\245\342\244\246\342\207\277\342\210"
    "\273\342\206\251\342\206\252\360\235\225\231\342\200\225\360\235\222\275\304\247\342\201\203\303"
    "\255\303\256\320\270\320\265\302\241\360\235\224\246\303\254\342\250\214\342\210\255\342\247\234"
    "\342\204\251\304\263\304\253\304\261\342\212\267\306\265\342\204\205\342\210\236\342\247\235\342"
    "\212\272\342\250\227\342\250\274\321\221\304\257\360\235\225\232\316\271\302\277\360\235\222\276"
    "\342\213\271\342\213\265\342\213\264\342\213\263\304\251\321\226\303\257\304\265\320\271\360\235"
    "\224\247\310\267\360\235\225\233\360\235\222\277\321\230\321\224\316\272\317\260\304\267\320\272"
    "\360\235\224\250\304\270\321\205\321\234\360\235\225\234\360\235\223\200\342\244\233\342\244\216"
    "\342\252\213\342\245\242\304\272\342\246\264\316\273\342\246\221\342\252\205\302\253\342\244\237"
    "\342\244\235\342\206\253\342\244\271\342\245\263\342\206\242\342\252\253\342\244\231\342\252\255"
    "\342\252\255\357\270\200\342\244\214\342\235\262{[\342\246\213\342\246\217\342\246\215\304\276"
    "\304\274\320\273\342\244\266\342\245\247\342\245\213\342\206\262\342\211\244\342\207\207\342\213"
    "\213\342\252\250\342\251\277\342\252\201\342\252\203\342\213\232\357\270\200\342\252\223\342\213"
    "\226\342\245\274\360\235\224\251\342\252\221\342\245\252\342\226\204\321\231\342\245\253\342\227"
    "\272\305\200\342\216\260\342\211\250\342\252\211\342\252\207\342\213\246\342\237\254\342\207\275"
    "\342\237\274\342\206\254\342\246\205\360\235\225\235\342\250\255\342\250\264\342\210\227\342\227"
    "\212(\342\246\223\342\245\255\342\200\216\342\212\277\342\200\271\360\235\223\201\342\252\215"
    "\342\252\217\342\200\232\305\202\342\252\246\342\251\271\342\213\211\342\245\266\342\251\273\342"
    "\246\226\342\227\203\342\245\212\342\245\246\342\211\250\357\270\200\342\210\272\302\257\342\231"
    "\202\342\234\240\342\226\256\342\250\251\320\274\342\200\224\360\235\224\252\342\204\247\302\265"
    "\342\253\260\342\210\222\342\250\252\342\253\233\342\212\247\360\235\225\236\360\235\223\202\316"
    "\274\342\212\270\342\213\231\314\270\342\211\253\342\203\222\342\207\215\342\207\216\342\213\230"
    "\314\270\342\211\252\342\203\222\342\207\217\342\212\257\342\212\256\305\204\342\210\240\342\203"
    "\222\342\251\260\314\270\342\211\213\314\270\305\211\342\231\256\342\251\203\305\210\305\206\342"
    "\251\255\314\270\342\251\202\320\275\342\200\223\342\207\227\342\244\244\342\211\220\314\270\342"
    "\244\250\360\235\224\253\342\206\256\342\253\262\342\213\274\342\213\272\321\232\342\211\246\314"
    "\270\342\206\232\342\200\245\360\235\225\237\302\254\342\213\271\314\270\342\213\265\314\270\342"
    "\213\267\342\213\266\342\213\276\342\213\275\342\253\275\342\203\245\342\210\202\314\270\342\250"
    "\224\342\206\233\342\244\263\314\270\342\206\235\314\270\360\235\223\203\342\212\204\342\253\205"
    "\314\270\342\212\205\342\253\206\314\270\303\261\316\275#\342\204\226\342\200\207\342\212\255"
    "\342\244\204\342\211\215\342\203\222\342\212\254\342\211\245\342\203\222>\342\203\222\342\247"
    "\236\342\244\202\342\211\244\342\203\222<\342\203\222\342\212\264\342\203\222\342\244\203\342"
    "\212\265\342\203\222\342\210\274\342\203\222\342\207\226\342\244\243\342\244\247\303\263\303\264"
    "\320\276\305\221\342\250\270\342\246\274\305\223\342\246\277\360\235\224\254\313\233\303\262\342"
    "\247\201\342\246\265\342\246\276\342\246\273\342\247\200\305\215\317\211\316\277\342\246\266\360"
    "\235\225\240\342\246\267\342\246\271\342\210\250\342\251\235\342\204\264\302\252\302\272\342\212"
    "\266\342\251\226\342\251\227\342\251\233\303\270\342\212\230\303\265\342\250\266\303\266\342\214"
    "\275\302\266\342\253\263\342\253\275\320\277%.\342\200\260\342\200\261\360\235\224\255\317\206"
    "\317\225\342\230\216\317\200\317\226\342\204\216+\342\250\243\342\250\242\342\250\245\342\251"
    "\262\342\250\246\342\250\247\342\250\225\360\235\225\241\302\243\342\252\263\342\252\267\342\252"
    "\271\342\252\265\342\213\250\342\200\262\342\214\256\342\214\222\342\214\223\342\212\260\360\235"
    "\223\205\317\210\342\200\210\360\235\224\256\360\235\225\242\342\201\227\360\235\223\206\342\250"
    "\226\077\342\244\234\342\245\244\342\210\275\314\261\305\225\342\246\263\342\246\222\342\246\245"
    "\302\273\342\245\265\342\244\240\342\244\263\342\244\236\342\245\205\342\245\264\342\206\243\342"
    "\206\235\342\244\232\342\210\266\342\235\263}]\342\246\214\342\246\216\342\246\220\305\231\305"
    "\227\321\200\342\244\267\342\245\251\342\206\263\342\226\255\342\245\275\360\235\224\257\342\245"
    "\254\317\201\317\261\342\207\211\342\213\214\313\232\342\200\217\342\216\261\342\253\256\342\237"
    "\255\342\207\276\342\246\206\360\235\225\243\342\250\256\342\250\265)\342\246\224\342\250\222"
    "\342\200\272\360\235\223\207\342\213\212\342\226\271\342\247\216\342\245\250\342\204\236\305\233"
    "\342\252\264\342\252\270\305\241\305\237\305\235\342\252\266\342\252\272\342\213\251\342\250\223"
    "\321\201\342\213\205\342\251\246\342\207\230\302\247;\342\244\251\342\234\266\360\235\224\260"
    "\342\231\257\321\211\321\210\302\255\317\203\317\202\342\251\252\342\252\236\342\252\240\342\252"
    "\235\342\252\237\342\211\206\342\250\244\342\245\262\342\250\263\342\247\244\342\214\243\342\252"
    "\252\342\252\254\342\252\254\357\270\200\321\214/\342\247\204\342\214\277\360\235\225\244\342"
    "\231\240\342\212\223\357\270\200\342\212\224\357\270\200\360\235\223\210\342\230\206\342\212\202"
    "\342\253\205\342\252\275\342\253\203\342\253\201\342\253\213\342\212\212\342\252\277\342\245\271"
    "\342\253\207\342\253\225\342\253\223\342\231\252\302\271\302\262\302\263\342\253\206\342\252\276"
    "\342\253\230\342\253\204\342\237\211\342\253\227\342\245\273\342\253\202\342\253\214\342\212\213"
    "\342\253\200\342\253\210\342\253\224\342\253\226\342\207\231\342\244\252\303\237\342\214\226\317"
    "\204\305\245\305\243\321\202\342\214\225\360\235\224\261\316\270\317\221\303\276\303\227\342\250"
    "\261\342\250\260\342\214\266\342\253\261\360\235\225\245\342\253\232\342\200\264\342\226\265\342"
    "\211\234\342\227\254\342\250\272\342\250\271\342\247\215\342\250\273\342\217\242\360\235\223\211"
    "\321\206\321\233\305\247\342\245\243\303\272\321\236\305\255\303\273\321\203\305\261\342\245\276"
    "\360\235\224\262\303\271\342\226\200\342\214\234\342\214\217\342\227\270\305\253\305\263\360\235"
    "\225\246\317\205\342\207\210\342\214\235\342\214\216\305\257\342\227\271\360\235\223\212\342\213"
    "\260\305\251\303\274\342\246\247\342\253\250\342\253\251\342\246\234\342\212\212\357\270\200\342"
    "\253\213\357\270\200\342\212\213\357\270\200\342\253\214\357\270\200\320\262\342\212\273\342\211"
    "\232\342\213\256\360\235\224\263\360\235\225\247\360\235\223\213\342\246\232\305\265\342\251\237"
    "\342\211\231\342\204\230\360\235\224\264\360\235\225\250\360\235\223\214\360\235\224\265\316\276"
    "\342\213\273\360\235\225\251\360\235\223\215\303\275\321\217\305\267\321\213\302\245\360\235\224"
    "\266\321\227\360\235\225\252\360\235\223\216\321\216\303\277\305\272\305\276\320\267\305\274\316"
    "\266\360\235\224\267\320\266\342\207\235\360\235\225\253\360\235\223\217\342\200\215\342\200\214";

const EntityRow kEntityRows[kEntityCount] = {
    {0,0,5,2}, {5,0,6,2}, {11,2,3,1}, {14,2,4,1}, {18,3,6,2}, {24,3,7,2},
    {31,5,7,2}, {38,7,5,2}, {43,7,6,2}, {49,9,4,2}, {53,11,4,4}, {57,15,6,2},
    {63,15,7,2}, {70,17,6,2}, {76,19,6,2}, {82,21,4,3}, {86,24,6,2}, {92,26,5,4},
    {97,30,14,3}, {111,33,5,2}, {116,33,6,2}, {122,35,5,4}, {127,39,7,3}, {134,42,6,2},
    {140,42,7,2}, {147,44,4,2}, {151,44,5,2}, {156,46,10,3}, {166,49,5,3}, {171,52,7,3},
    {178,55,4,2}, {182,57,8,3}, {190,60,11,3}, {201,63,5,2}, {206,65,4,4}, {210,69,5,4},
    {215,73,6,2}, {221,60,5,3}, {226,75,7,3}, {233,78,5,2}, {238,80,4,2}, {242,80,5,2},
    {247,82,7,2}, {254,84,4,3}, {258,87,21,3}, {279,90,8,3}, {287,93,7,2}, {294,95,6,2},
    {300,95,7,2}, {307,97,6,2}, {313,99,8,3}, {321,102,5,2}, {326,104,8,2}, {334,106,10,2},
    {344,90,4,3}, {348,108,4,2}, {352,110,10,3}, {362,113,12,3}, {374,116,11,3}, {385,119,12,3},
    {397,122,25,3}, {422,125,22,3}, {444,128,16,3}, {460,131,6,3}, {466,134,7,3}, {473,137,10,3},
    {483,140,7,3}, {490,143,16,3}, {506,146,5,3}, {511,149,10,3}, {521,152,32,3}, {553,155,6,3},
    {559,158,5,4}, {564,162,4,3}, {568,165,7,3}, {575,87,3,3}, {578,168,9,3}, {587,171,5,2},
    {592,173,5,2}, {597,175,5,2}, {602,177,7,3}, {609,180,5,3}, {614,183,6,3}, {620,186,7,2},
    {627,188,4,2}, {631,190,4,3}, {635,193,6,2}, {641,195,4,4}, {645,199,17,2}, {662,201,15,2},
    {677,203,23,2}, {700,205,17,1}, {717,206,17,2}, {734,208,8,3}, {742,211,14,3}, {756,214,5,4},
    {761,218,4,2}, {765,220,7,3}, {772,223,9,3}, {781,140,22,3}, {803,218,10,2}, {813,226,16,3},
    {829,229,16,3}, {845,232,21,3}, {866,183,14,3}, {880,235,20,3}, {900,238,25,3}, {925,241,21,3},
    {946,244,17,3}, {963,247,15,3}, {978,250,14,3}, {992,253,18,3}, {1010,256,18,3}, {1028,259,10,3},
    {1038,262,13,3}, {1051,265,17,3}, {1068,268,10,2}, {1078,270,20,3}, {1098,273,18,3}, {1116,276,15,3},
    {1131,279,18,3}, {1149,282,19,3}, {1168,285,16,3}, {1184,288,19,3}, {1203,291,8,3}, {1211,294,13,3},
    {1224,226,10,3}, {1234,297,5,4}, {1239,301,7,2}, {1246,303,4,2}, {1250,305,3,2}, {1253,305,4,2},
    {1257,307,6,2}, {1263,307,7,2}, {1270,309,7,2}, {1277,311,5,2}, {1282,311,6,2}, {1288,313,4,2},
    {1292,315,5,2}, {1297,317,4,4}, {1301,321,6,2}, {1307,321,7,2}, {1314,323,8,3}, {1322,326,6,2},
    {1328,328,17,3}, {1345,331,21,3}, {1366,334,6,2}, {1372,336,5,4}, {1377,340,8,2}, {1385,342,6,3},
    {1391,345,11,3}, {1402,348,12,3}, {1414,351,5,3}, {1419,354,5,3}, {1424,357,4,2}, {1428,359,4,2},
    {1432,359,5,2}, {1437,361,7,3}, {1444,364,13,3}, {1457,367,4,2}, {1461,369,4,4}, {1465,373,18,3},
    {1483,376,22,3}, {1505,379,5,4}, {1510,383,7,3}, {1517,386,11,3}, {1528,386,5,3}, {1533,389,5,2},
    {1538,391,2,1}, {1540,391,3,1}, {1543,392,6,2}, {1549,394,7,2}, {1556,396,7,2}, {1563,398,7,2},
    {1570,400,6,2}, {1576,402,4,2}, {1580,404,5,2}, {1585,406,4,4}, {1589,410,3,3}, {1592,413,5,4},
    {1597,417,13,3}, {1610,420,17,3}, {1627,423,17,3}, {1644,426,15,3}, {1659,429,12,3}, {1671,432,18,3},
    {1689,435,13,3}, {1702,438,5,4}, {1707,442,3,3}, {1710,445,7,2}, {1717,447,6,2}, {1723,449,4,1},
    {1727,450,6,2}, {1733,452,4,3}, {1737,455,13,3}, {1750,458,5,3}, {1755,461,15,3}, {1770,455,5,3},
    {1775,464,7,2}, {1782,75,13,3}, {1795,466,10,3}, {1805,469,5,2}, {1810,471,6,2}, {1816,473,5,2},
    {1821,475,6,2}, {1827,475,7,2}, {1834,477,5,2}, {1839,477,6,2}, {1845,479,4,2}, {1849,481,5,2},
    {1854,483,4,3}, {1858,486,6,2}, {1864,486,7,2}, {1871,483,3,3}, {1874,488,6,2}, {1880,490,11,3},
    {1891,244,8,3}, {1899,493,4,3}, {1903,496,9,3}, {1912,499,13,3}, {1925,502,15,3}, {1940,505,15,3},
    {1955,508,6,2}, {1961,510,5,4}, {1966,514,5,2}, {1971,516,5,3}, {1976,519,7,2}, {1983,521,6,2},
    {1989,523,4,2}, {1993,523,5,2}, {1998,525,6,2}, {2004,527,4,2}, {2008,529,4,4}, {2012,533,5,4},
    {2017,537,5,4}, {2022,541,7,2}, {2029,543,6,2}, {2035,545,5,2}, {2040,547,5,2}, {2045,549,6,2},
    {2051,551,7,2}, {2058,553,4,2}, {2062,555,4,4}, {2066,559,5,4}, {2071,563,5,4}, {2076,567,5,2},
    {2081,569,2,1}, {2083,569,3,1}, {2086,570,7,2}, {2093,572,7,2}, {2100,574,5,3}, {2105,577,11,3},
    {2116,580,5,3}, {2121,583,7,2}, {2128,585,7,2}, {2135,587,4,2}, {2139,589,17,3}, {2156,592,10,3},
    {2166,595,13,3}, {2179,598,20,3}, {2199,601,12,3}, {2211,604,18,3}, {2229,607,18,3}, {2247,610,15,3},
    {2262,613,18,3}, {2280,616,10,3}, {2290,619,15,3}, {2305,622,16,3}, {2321,625,8,3}, {2329,628,13,3},
    {2342,631,14,3}, {2356,634,13,3}, {2369,637,16,3}, {2385,640,18,3}, {2403,643,17,3}, {2420,646,16,3},
    {2436,649,13,3}, {2449,652,16,3}, {2465,655,11,3}, {2476,658,14,3}, {2490,229,10,3}, {2500,232,15,3},
    {2515,661,17,3}, {2532,664,14,3}, {2546,667,12,3}, {2558,670,9,3}, {2567,673,15,3}, {2582,676,10,3},
    {2592,679,4,4}, {2596,683,3,3}, {2599,686,11,3}, {2610,689,7,2}, {2617,691,14,3}, {2631,694,19,3},
    {2650,697,15,3}, {2665,235,14,3}, {2679,238,19,3}, {2698,241,15,3}, {2713,700,5,4}, {2718,704,15,3},
    {2733,707,16,3}, {2749,577,5,3}, {2754,710,4,3}, {2758,713,7,2}, {2765,715,3,3}, {2768,718,4,3},
    {2772,721,4,2}, {2776,723,12,3}, {2788,726,10,3}, {2798,729,4,4}, {2802,733,10,3}, {2812,736,5,4},
    {2817,726,5,3}, {2822,740,3,2}, {2825,742,5,2}, {2830,744,7,2}, {2837,746,7,2}, {2844,748,7,2},
    {2851,750,4,2}, {2855,752,20,3}, {2875,752,19,3}, {2894,752,18,3}, {2912,752,22,3}, {2934,442,21,3},
    {2955,715,15,3}, {2970,755,8,1}, {2978,756,4,4}, {2982,760,8,3}, {2990,763,17,2}, {3007,765,5,3},
    {3012,768,4,3}, {3016,771,13,3}, {3029,774,10,3}, {3039,777,21,3}, {3060,780,11,3}, {3071,783,9,3},
    {3080,786,14,5}, {3094,791,10,3}, {3104,794,11,3}, {3115,797,16,3}, {3131,800,20,5}, {3151,805,18,5},
    {3169,810,15,3}, {3184,813,21,5}, {3205,818,16,3}, {3221,821,16,5}, {3237,826,13,5}, {3250,831,16,3},
    {3266,834,19,5}, {3285,839,21,3}, {3306,842,8,3}, {3314,845,13,3}, {3327,848,15,3}, {3342,851,12,5},
    {3354,856,18,5}, {3372,861,13,3}, {3385,864,24,5}, {3409,869,18,5}, {3427,874,12,3}, {3439,877,17,5},
    {3456,882,22,3}, {3478,885,18,3}, {3496,888,17,3}, {3513,891,20,5}, {3533,896,22,3}, {3555,899,16,5},
    {3571,904,21,3}, {3592,907,18,5}, {3610,912,23,3}, {3633,915,10,6}, {3643,921,15,3}, {3658,924,12,3},
    {3670,927,17,5}, {3687,932,22,3}, {3709,935,17,5}, {3726,940,12,6}, {3738,946,17,3}, {3755,949,9,3},
    {3764,952,14,3}, {3778,955,18,3}, {3796,958,14,3}, {3810,961,15,3}, {3825,964,5,4}, {3830,968,6,2},
    {3836,968,7,2}, {3843,970,3,2}, {3846,972,6,2}, {3852,974,6,2}, {3858,974,7,2}, {3865,976,5,2},
    {3870,976,6,2}, {3876,978,4,2}, {3880,980,7,2}, {3887,982,4,4}, {3891,986,6,2}, {3897,986,7,2},
    {3904,988,6,2}, {3910,990,6,2}, {3916,992,8,2}, {3924,994,5,4}, {3929,998,21,3}, {3950,1001,15,3},
    {3965,1004,3,3}, {3968,1007,5,4}, {3973,1011,6,2}, {3979,1011,7,2}, {3986,1013,6,2}, {3992,1013,7,2},
    {3999,1015,7,3}, {4006,1018,4,2}, {4010,1018,5,2}, {4015,1020,8,3}, {4023,1023,10,3}, {4033,1026,12,3},
    {4045,1029,16,3}, {4061,1032,9,3}, {4070,1035,4,2}, {4074,1037,4,4}, {4078,1041,4,2}, {4082,1043,3,2},
    {4085,1045,10,2}, {4095,452,14,3}, {4109,1047,5,3}, {4114,1050,3,3}, {4117,1053,9,3}, {4126,1056,14,3},
    {4140,1059,19,3}, {4159,1062,14,3}, {4173,1065,6,3}, {4179,1068,8,3}, {4187,131,11,3}, {4198,1071,13,3},
    {4211,1074,5,4}, {4216,1078,4,2}, {4220,1080,4,1}, {4224,1080,5,1}, {4229,1081,4,4}, {4233,1085,5,3},
    {4238,1088,5,4}, {4243,1092,6,3}, {4249,1095,3,2}, {4252,1095,4,2}, {4256,1097,7,2}, {4263,1099,5,3},
    {4268,1102,5,3}, {4273,1105,7,3}, {4280,1108,7,2}, {4287,1110,7,2}, {4294,1112,4,2}, {4298,1114,3,3},
    {4301,1117,15,3}, {4316,1120,19,3}, {4335,1123,21,3}, {4356,1114,4,3}, {4360,1126,4,2}, {4364,1128,18,3},
    {4382,1131,11,3}, {4393,1134,14,3}, {4407,1137,20,3}, {4427,1140,13,3}, {4440,1143,19,3}, {4459,1146,19,3},
    {4478,1149,16,3}, {4494,1152,19,3}, {4513,1155,11,3}, {4524,1158,9,3}, {4533,1161,14,3}, {4547,1164,15,3},
    {4562,1167,14,3}, {4576,1170,17,3}, {4593,1173,19,3}, {4612,1176,18,3}, {4630,1179,17,3}, {4647,1182,14,3},
    {4661,1185,17,3}, {4678,1188,12,3}, {4690,1191,15,3}, {4705,244,11,3}, {4716,1194,5,3}, {4721,1197,13,3},
    {4734,1200,12,3}, {4746,1203,5,3}, {4751,1206,4,3}, {4755,1209,12,3}, {4767,1212,7,2}, {4774,1214,5,2},
    {4779,1216,7,2}, {4786,1218,7,2}, {4793,1220,3,3}, {4796,1223,7,2}, {4803,1225,7,2}, {4810,1227,6,2},
    {4816,1229,4,2}, {4820,1231,4,4}, {4824,259,15,3}, {4839,592,15,3}, {4854,1131,16,3}, {4870,1235,13,3},
    {4883,1238,6,2}, {4889,1240,12,3}, {4901,1243,5,4}, {4906,1247,5,3}, {4911,1250,7,3}, {4918,1253,19,3},
    {4937,1256,13,3}, {4950,1259,18,3}, {4968,1262,15,3}, {4983,1265,20,3}, {5003,1268,12,3}, {5015,1271,5,4},
    {5020,1275,5,3}, {5025,1278,4,3}, {5029,1278,7,3}, {5036,1281,12,3}, {5048,1284,9,3}, {5057,1287,14,3},
    {5071,1290,19,3}, {5090,1293,14,3}, {5104,1117,9,3}, {5113,1296,4,3}, {5117,1299,4,3}, {5121,1302,9,3},
    {5130,1305,14,3}, {5144,1299,7,3}, {5151,1308,5,2}, {5156,1308,6,2}, {5162,1310,6,3}, {5168,1313,6,2},
    {5174,1315,5,2}, {5179,1317,4,1}, {5183,1318,4,2}, {5187,1320,7,2}, {5194,1322,7,2}, {5201,1324,4,2},
    {5205,1326,4,4}, {5209,1330,10,3}, {5219,1333,6,2}, {5225,1335,11,6}, {5236,1341,10,3}, {5246,1344,6,3},
    {5252,1347,11,3}, {5263,1350,15,3}, {5278,1353,11,3}, {5289,1356,5,4}, {5294,1360,10,3}, {5304,1363,5,4},
    {5309,1367,7,2}, {5316,1369,6,2}, {5322,1369,7,2}, {5329,1371,5,3}, {5334,1374,9,3}, {5343,1377,6,2},
    {5349,1379,7,2}, {5356,1381,5,2}, {5361,1381,6,2}, {5367,1383,4,2}, {5371,1385,7,2}, {5378,1387,4,4},
    {5382,1391,6,2}, {5388,1391,7,2}, {5395,1393,6,2}, {5401,1395,9,1}, {5410,1396,11,3}, {5421,1399,13,3},
    {5434,1402,17,3}, {5451,1405,6,3}, {5457,1408,10,3}, {5467,1411,6,2}, {5473,1413,5,4}, {5478,1235,8,3},
    {5486,1417,11,3}, {5497,1420,17,3}, {5514,1423,12,3}, {5526,1426,14,3}, {5540,1429,6,3}, {5546,1432,11,3},
    {5557,250,8,3}, {5565,253,12,3}, {5577,1435,15,3}, {5592,1438,16,3}, {5608,1441,5,2}, {5613,1443,8,2},
    {5621,1445,6,2}, {5627,1447,5,4}, {5632,1451,7,2}, {5639,1453,4,2}, {5643,1453,5,2}, {5648,1455,6,3},
    {5654,1458,5,3}, {5659,1461,4,2}, {5663,1463,6,3}, {5669,1466,7,3}, {5676,1469,4,3}, {5680,1472,7,3},
    {5687,1472,5,3}, {5692,1475,12,3}, {5704,1478,13,1}, {5717,1479,18,3}, {5735,1482,14,3}, {5749,1485,14,3},
    {5763,1488,4,4}, {5767,1492,5,4}, {5772,1496,5,4}, {5777,1500,7,3}, {5784,1503,6,2}, {5790,1505,6,3},
    {5796,1508,4,4}, {5800,1512,5,4}, {5805,1516,5,4}, {5810,1520,4,4}, {5814,1524,3,2}, {5817,1526,5,4},
    {5822,1530,5,4}, {5827,1534,5,2}, {5832,1536,5,2}, {5837,1538,5,2}, {5842,1540,6,2}, {5848,1540,7,2},
    {5855,1542,6,2}, {5861,1544,4,2}, {5865,1546,4,4}, {5869,1550,5,4}, {5874,1554,5,4}, {5879,1558,5,2},
    {5884,1560,5,2}, {5889,1562,7,2}, {5896,1564,7,2}, {5903,1566,4,2}, {5907,1568,5,2}, {5912,752,15,3},
    {5927,1570,5,2}, {5932,1572,4,3}, {5936,1575,5,3}, {5941,1578,5,4}, {5946,1582,6,2}, {5952,1582,7,2},
    {5959,1584,7,2}, {5966,1586,3,3}, {5969,1589,4,5}, {5973,1594,4,3}, {5977,1597,5,2}, {5982,1597,6,2},
    {5988,199,5,2}, {5993,199,6,2}, {5999,1599,4,2}, {6003,1601,5,2}, {6008,1601,6,2}, {6014,30,3,3},
    {6017,1603,4,4}, {6021,1607,6,2}, {6027,1607,7,2}, {6034,1609,8,3}, {6042,1609,6,3}, {6048,1612,6,2},
    {6054,1614,6,2}, {6060,1616,6,3}, {6066,2,3,1}, {6069,2,4,1}, {6073,1619,4,3}, {6077,1622,7,3},
    {6084,1625,5,3}, {6089,1628,9,3}, {6098,1631,5,3}, {6103,1634,4,3}, {6107,1637,5,3}, {6112,1634,6,3},
    {6118,1640,7,3}, {6125,1643,9,3}, {6134,1646,9,3}, {6143,1649,9,3}, {6152,1652,9,3}, {6161,1655,9,3},
    {6170,1658,9,3}, {6179,1661,9,3}, {6188,1664,9,3}, {6197,1667,6,3}, {6203,1670,8,3}, {6211,1673,9,3},
    {6220,1676,7,3}, {6227,33,6,2}, {6233,1679,8,3}, {6241,1682,6,2}, {6247,1684,5,4}, {6252,1353,3,3},
    {6255,1688,4,3}, {6259,1691,7,3}, {6266,1694,4,3}, {6270,1697,5,3}, {6275,1700,5,1}, {6280,1353,7,3},
    {6287,1694,9,3}, {6296,1701,5,2}, {6301,1701,6,2}, {6307,1703,5,4}, {6312,1707,4,1}, {6316,1353,6,3},
    {6322,165,8,3}, {6330,1708,6,2}, {6336,1708,7,2}, {6343,1710,4,2}, {6347,1710,5,2}, {6352,152,9,3},
    {6361,1712,6,3}, {6367,1715,5,3}, {6372,1718,9,3}, {6381,1721,12,2}, {6393,1723,10,3}, {6403,1726,8,3},
    {6411,1729,10,3}, {6421,1732,7,3}, {6428,1735,7,3}, {6435,1735,9,3}, {6444,1399,5,3}, {6449,1738,9,3},
    {6458,1718,6,3}, {6464,1741,4,2}, {6468,1743,6,3}, {6474,57,7,3}, {6481,57,8,3}, {6489,1746,8,3},
    {6497,1721,6,2}, {6503,60,7,3}, {6510,1749,5,2}, {6515,1751,5,3}, {6520,1754,8,3}, {6528,1757,4,4},
    {6532,499,7,3}, {6539,1761,8,3}, {6547,1405,7,3}, {6554,1764,8,3}, {6562,1767,9,3}, {6571,1770,10,3},
    {6581,1773,9,3}, {6590,1776,8,3}, {6598,1779,16,3}, {6614,1782,14,3}, {6628,1785,9,3}, {6637,1469,7,3},
    {6644,1505,9,3}, {6653,1788,7,3}, {6660,1791,13,3}, {6673,376,12,3}, {6685,1794,14,3}, {6699,1797,18,3},
    {6717,1800,18,3}, {6735,1803,19,3}, {6754,1806,6,3}, {6760,1809,6,3}, {6766,1812,6,3}, {6772,1815,6,3},
    {6778,1818,6,3}, {6784,1821,4,4}, {6788,1825,8,6}, {6796,1831,5,3}, {6801,1834,5,4}, {6806,1429,4,3},
    {6810,1429,7,3}, {6817,1838,7,3}, {6824,1841,6,3}, {6830,1844,6,3}, {6836,1847,6,3}, {6842,1850,6,3},
    {6848,1853,5,3}, {6853,1856,6,3}, {6859,1859,6,3}, {6865,1862,6,3}, {6871,1865,6,3}, {6877,1868,6,3},
    {6883,1871,6,3}, {6889,1874,6,3}, {6895,1877,6,3}, {6901,1880,5,3}, {6906,1883,6,3}, {6912,1886,6,3},
    {6918,1889,6,3}, {6924,1892,6,3}, {6930,1895,6,3}, {6936,1898,6,3}, {6942,1901,7,3}, {6949,1904,6,3},
    {6955,1907,6,3}, {6961,1910,6,3}, {6967,1913,6,3}, {6973,461,5,3}, {6978,1916,6,3}, {6984,1919,6,3},
    {6990,1922,6,3}, {6996,1925,6,3}, {7002,1928,9,3}, {7011,1931,8,3}, {7019,1934,9,3}, {7028,1937,6,3},
    {7034,1940,6,3}, {7040,1943,6,3}, {7046,1946,6,3}, {7052,1949,5,3}, {7057,1952,6,3}, {7063,1955,6,3},
    {7069,1958,6,3}, {7075,1961,6,3}, {7081,1964,6,3}, {7087,1967,6,3}, {7093,1723,7,3}, {7100,73,6,2},
    {7106,1970,6,2}, {7112,1970,7,2}, {7119,1972,5,4}, {7124,1976,6,3}, {7130,1726,5,3}, {7135,1729,6,3},
    {7141,1979,5,1}, {7146,1980,6,3}, {7152,1983,9,3}, {7161,1986,5,3}, {7166,1986,7,3}, {7173,75,5,3},
    {7178,1989,6,3}, {7184,466,6,3}, {7190,466,7,3}, {7197,1992,7,2}, {7204,1994,4,3}, {7208,1997,7,3},
    {7215,2000,9,3}, {7224,2003,7,3}, {7231,2006,7,3}, {7238,2009,7,3}, {7245,2012,5,6}, {7250,2018,6,3},
    {7256,447,6,2}, {7262,2021,6,3}, {7268,2024,7,2}, {7275,2026,6,2}, {7281,2026,7,2}, {7288,2028,6,2},
    {7294,2030,6,3}, {7300,2033,8,3}, {7308,2036,5,2}, {7313,104,5,2}, {7318,104,6,2}, {7324,2038,8,3},
    {7332,2041,4,2}, {7336,2041,5,2}, {7341,106,10,2}, {7351,2043,4,4}, {7355,2047,5,2}, {7360,2049,6,3},
    {7366,2049,10,3}, {7376,2052,4,2}, {7380,2054,4,3}, {7384,2057,5,3}, {7389,2060,5,2}, {7394,2062,7,3},
    {7401,2065,16,3}, {7417,2068,17,3}, {7434,1095,9,2}, {7443,2071,9,3}, {7452,2074,11,3}, {7463,2077,12,3},
    {7475,2080,12,3}, {7487,2062,5,3}, {7492,2083,9,3}, {7501,2086,7,3}, {7508,2089,8,3}, {7516,2092,6,3},
    {7522,2092,9,3}, {7531,2095,6,1}, {7537,39,7,3}, {7544,39,8,3}, {7552,2096,6,1}, {7558,2097,7,1},
    {7565,2098,5,3}, {7570,1240,7,3}, {7577,2098,11,3}, {7588,146,10,3}, {7598,1350,5,3}, {7603,2101,8,3},
    {7611,143,7,3}, {7618,2104,5,4}, {7623,149,7,3}, {7630,80,4,2}, {7634,80,5,2}, {7639,2108,7,3},
    {7646,2111,6,3}, {7652,2114,6,3}, {7658,2117,5,4}, {7663,2121,5,3}, {7668,2124,6,3}, {7674,2127,5,3},
    {7679,2130,6,3}, {7685,2133,6,3}, {7691,2136,8,3}, {7699,2139,8,3}, {7707,2142,6,3}, {7713,2145,6,3},
    {7719,2148,7,3}, {7726,2151,8,3}, {7734,2154,4,3}, {7738,2157,9,3}, {7747,2160,7,3}, {7754,2163,7,3},
    {7761,2166,7,3}, {7768,2169,6,3}, {7774,2172,5,6}, {7779,2178,7,3}, {7786,2181,8,3}, {7794,2142,12,3},
    {7806,2145,12,3}, {7818,2184,9,3}, {7827,2187,11,3}, {7838,2190,6,2}, {7844,2190,7,2}, {7851,2148,15,3},
    {7866,2178,16,3}, {7882,2184,6,3}, {7888,2187,6,3}, {7894,122,9,3}, {7903,2192,6,3}, {7909,2195,7,3},
    {7916,226,5,3}, {7921,2198,5,3}, {7926,2201,7,3}, {7933,2204,7,3}, {7940,259,5,3}, {7945,2207,5,3},
    {7950,625,6,3}, {7956,2210,8,3}, {7964,203,6,2}, {7970,2213,7,2}, {7977,2215,4,2}, {7981,211,3,3},
    {7984,177,8,3}, {7992,2217,6,3}, {7998,2220,8,3}, {8006,2223,3,2}, {8009,2223,4,2}, {8013,2225,6,2},
    {8019,2227,8,3}, {8027,2230,7,3}, {8034,2233,4,4}, {8038,610,6,3}, {8044,1149,6,3}, {8050,208,5,3},
    {8055,208,8,3}, {8063,2237,12,3}, {8075,2237,6,3}, {8081,218,4,2}, {8085,2240,8,2}, {8093,2242,6,3},
    {8099,2245,4,2}, {8103,2245,6,2}, {8109,2245,7,2}, {8116,2247,14,3}, {8130,2247,7,3}, {8137,2250,5,2},
    {8142,2252,7,3}, {8149,2255,7,3}, {8156,2258,7,1}, {8163,2259,5,4}, {8168,201,4,2}, {8172,223,6,3},
    {8178,2263,9,3}, {8187,2266,9,3}, {8196,2269,8,3}, {8204,2272,10,3}, {8214,52,15,3}, {8229,259,10,3},
    {8239,2217,15,3}, {8254,610,16,3}, {8270,1149,17,3}, {8287,1092,9,3}, {8296,2275,7,3}, {8303,2278,7,3},
    {8310,2281,5,4}, {8315,2285,5,2}, {8320,2287,5,3}, {8325,2290,7,2}, {8332,2292,6,3}, {8338,2295,5,3},
    {8343,1797,6,3}, {8349,265,6,3}, {8355,1123,6,3}, {8361,2298,8,3}, {8369,2301,5,2}, {8374,2303,9,3},
    {8383,2220,6,3}, {8389,2263,5,3}, {8394,2306,6,2}, {8400,2306,7,2}, {8407,2308,7,3}, {8414,2311,7,2},
    {8421,2313,5,3}, {8426,2316,5,2}, {8431,2316,6,2}, {8437,2318,7,3}, {8444,2321,4,2}, {8448,2323,5,2},
    {8453,364,3,3}, {8456,2325,6,3}, {8462,2328,4,4}, {8466,2332,3,3}, {8469,2335,6,2}, {8475,2335,7,2},
    {8482,2337,4,3}, {8486,2340,7,3}, {8493,2343,3,3}, {8496,2346,9,3}, {8505,2349,4,3}, {8509,2352,4,3},
    {8513,2355,7,3}, {8520,2358,6,2}, {8526,2360,6,3}, {8532,2360,9,3}, {8541,2360,7,3}, {8548,2363,7,3},
    {8555,2366,7,3}, {8562,2369,5,3}, {8567,2372,4,2}, {8571,2374,5,3}, {8576,2377,6,2}, {8582,2379,5,4},
    {8587,2383,5,3}, {8592,2386,7,3}, {8599,2389,6,3}, {8605,2392,5,2}, {8610,2392,8,2}, {8618,2394,6,2},
    {8624,2313,7,3}, {8631,2318,8,3}, {8639,345,6,3}, {8645,2337,11,3}, {8656,2352,12,3}, {8668,2396,7,1},
    {8675,2397,7,3}, {8682,137,6,3}, {8688,2400,8,3}, {8696,2403,9,3}, {8705,2406,6,3}, {8711,2409,6,3},
    {8717,2412,5,3}, {8722,223,6,3}, {8728,345,5,3}, {8733,2415,4,2}, {8737,2417,3,2}, {8740,2417,4,2},
    {8744,2419,4,2}, {8748,2419,5,2}, {8753,2421,5,3}, {8758,2424,5,1}, {8763,361,6,3}, {8769,351,12,3},
    {8781,364,13,3}, {8794,2325,14,3}, {8808,2425,4,2}, {8812,2427,7,3}, {8819,2430,7,3}, {8826,2433,6,3},
    {8832,2436,7,3}, {8839,2439,4,4}, {8843,2443,6,3}, {8849,2446,6,2}, {8855,2448,5,3}, {8860,2451,6,3},
    {8866,2454,6,3}, {8872,2457,5,2}, {8877,2459,5,4}, {8882,383,7,3}, {8889,2463,5,3}, {8894,2466,6,3},
    {8900,2469,9,3}, {8909,2472,6,2}, {8915,2472,7,2}, {8922,2474,7,3}, {8929,2477,6,2}, {8935,2477,7,2},
    {8942,2479,7,3}, {8949,2482,7,3}, {8956,2485,7,3}, {8963,2488,7,3}, {8970,2491,7,3}, {8977,2494,6,2},
    {8983,2494,7,2}, {8990,2496,7,3}, {8997,2499,7,3}, {9004,2502,7,3}, {9011,2505,7,3}, {9018,2508,7,3},
    {9025,2511,7,3}, {9032,2514,6,3}, {9038,2517,6,3}, {9044,2520,5,4}, {9049,423,3,3}, {9052,2524,4,3},
    {9056,2527,7,2}, {9063,2529,6,2}, {9069,2240,7,2}, {9076,2531,4,3}, {9080,2534,7,2}, {9087,2536,6,2},
    {9093,2538,4,2}, {9097,2540,5,2}, {9102,417,3,3}, {9105,420,4,3}, {9109,417,4,3}, {9113,423,5,3},
    {9118,432,9,3}, {9127,432,4,3}, {9131,2542,6,3}, {9137,2545,7,3}, {9144,2548,8,3}, {9152,2551,9,3},
    {9161,2554,5,6}, {9166,2560,7,3}, {9173,2563,4,4}, {9177,442,3,3}, {9180,410,4,3}, {9184,2567,6,3},
    {9190,2570,5,2}, {9195,429,3,3}, {9198,2572,4,3}, {9202,2575,4,3}, {9206,2578,4,3}, {9210,2581,4,3},
    {9214,2584,5,3}, {9219,2584,9,3}, {9228,2587,4,3}, {9232,2587,5,3}, {9237,2581,6,3}, {9243,2590,6,3},
    {9249,2593,5,4}, {9254,205,6,1}, {9260,2597,5,3}, {9265,435,5,3}, {9270,2600,6,3}, {9276,2603,6,3},
    {9282,391,2,1}, {9284,391,3,1}, {9287,2606,5,3}, {9292,2609,6,3}, {9298,2612,6,3}, {9304,2615,7,3},
    {9311,2618,8,3}, {9319,2531,10,3}, {9329,2621,7,3}, {9336,2612,7,3}, {9343,420,10,3}, {9353,2524,11,3},
    {9364,429,8,3}, {9372,435,7,3}, {9379,2624,10,6}, {9389,2624,5,6}, {9394,232,5,3}, {9399,1485,7,3},
    {9406,2472,5,2}, {9411,455,7,3}, {9418,2630,7,2}, {9425,619,5,3}, {9430,2632,8,3}, {9438,2635,6,3},
    {9444,2638,5,3}, {9449,2641,6,2}, {9455,2643,7,3}, {9462,2643,10,3}, {9472,2646,7,3}, {9479,2649,7,3},
    {9486,2652,4,4}, {9490,2656,9,3}, {9499,2659,9,3}, {9508,2662,6,3}, {9514,2665,7,3}, {9521,2668,14,3},
    {9535,2671,15,3}, {9550,2674,5,4}, {9555,2678,7,3}, {9562,2681,5,4}, {9567,2638,7,3}, {9574,2685,7,2},
    {9581,2687,7,3}, {9588,2207,7,3}, {9595,2690,6,2}, {9601,2690,7,2}, {9608,502,3,3}, {9611,2692,5,2},
    {9616,2692,6,2}, {9622,2694,4,2}, {9626,2696,5,2}, {9631,2698,5,2}, {9636,2698,6,2}, {9642,232,4,3},
    {9646,2700,4,4}, {9650,2704,6,2}, {9656,2704,7,2}, {9663,490,3,3}, {9666,2706,7,3}, {9673,2709,6,3},
    {9679,2712,7,3}, {9686,2715,6,3}, {9692,2718,6,2}, {9698,2720,6,2}, {9704,483,6,3}, {9710,516,9,3},
    {9719,483,9,3}, {9728,2722,6,2}, {9734,2724,5,3}, {9739,2727,6,2}, {9745,323,3,3}, {9748,2729,7,3},
    {9755,2732,6,3}, {9761,2735,9,3}, {9770,2722,7,2}, {9777,496,4,3}, {9781,2738,7,3}, {9788,1575,9,3},
    {9797,2738,9,3}, {9806,2741,9,3}, {9815,2744,8,3}, {9823,2747,5,2}, {9828,2749,6,2}, {9834,2751,5,4},
    {9839,2755,5,2}, {9844,2744,6,3}, {9850,2757,6,2}, {9856,2757,7,2}, {9863,2759,5,4}, {9868,323,5,3},
    {9873,2763,6,3}, {9879,2766,8,3}, {9887,2769,6,3}, {9893,2772,7,3}, {9900,323,6,3}, {9906,505,3,3},
    {9909,2775,7,2}, {9916,2777,6,2}, {9922,2779,4,2}, {9926,2779,5,2}, {9931,2781,6,2}, {9937,2783,4,2},
    {9941,2785,4,4}, {9945,2789,6,2}, {9951,2791,5,4}, {9956,2795,5,4}, {9961,2799,7,2}, {9968,2801,6,2},
    {9974,2803,6,2}, {9980,2805,7,2}, {9987,2807,7,2}, {9994,2809,4,2}, {9998,2811,4,4}, {10002,2815,7,2},
    {10009,2817,5,2}, {10014,2819,5,2}, {10019,2821,5,4}, {10024,2825,5,4}, {10029,686,6,3}, {10035,229,5,3},
    {10040,2829,7,3}, {10047,2832,6,3}, {10053,664,3,3}, {10056,2835,4,3}, {10060,2838,5,3}, {10065,2841,7,2},
    {10072,2843,9,3}, {10081,577,7,3}, {10088,2846,7,2}, {10095,589,5,3}, {10100,2848,6,3}, {10106,589,7,3},
    {10113,2851,4,3}, {10117,2854,5,2}, {10122,2854,6,2}, {10128,592,5,3}, {10133,595,6,3}, {10139,2856,8,3},
    {10147,2859,7,3}, {10154,2668,7,3}, {10161,2862,7,3}, {10168,2865,7,3}, {10175,2868,8,3}, {10183,2871,7,3},
    {10190,2874,4,3}, {10194,2877,7,3}, {10201,2880,5,3}, {10206,2883,6,6}, {10212,2889,6,3}, {10218,2892,6,3},
    {10224,2895,7,1}, {10231,2896,7,1}, {10238,2897,6,3}, {10244,2900,8,3}, {10252,2903,8,3}, {10260,2906,7,2},
    {10267,2908,7,2}, {10274,601,6,3}, {10280,2895,5,1}, {10285,2910,4,2}, {10289,2912,5,3}, {10294,998,6,3},
    {10300,1743,7,3}, {10307,2915,8,3}, {10315,2918,9,3}, {10324,2921,5,3}, {10329,2924,3,3}, {10332,592,10,3},
    {10342,2871,14,3}, {10356,276,16,3}, {10372,655,14,3}, {10386,2927,15,3}, {10401,619,15,3}, {10416,598,16,3},
    {10432,1120,18,3}, {10450,2635,20,3}, {10470,2930,15,3}, {10485,661,4,3}, {10489,2924,4,3}, {10493,664,5,3},
    {10498,673,9,3}, {10507,673,4,3}, {10511,2933,6,3}, {10517,2936,7,3}, {10524,2939,8,3}, {10532,2942,9,3},
    {10541,2945,5,6}, {10546,2951,7,3}, {10553,2851,11,3}, {10564,2954,8,3}, {10572,661,10,3}, {10582,2835,11,3},
    {10593,667,8,3}, {10601,676,8,3}, {10609,2957,7,3}, {10616,616,7,3}, {10623,2960,4,4}, {10627,667,3,3},
    {10630,2964,4,3}, {10634,276,6,3}, {10640,655,6,3}, {10646,2967,7,3}, {10653,2970,6,3}, {10659,2973,5,2},
    {10664,715,3,3}, {10667,2927,6,3}, {10673,2252,9,3}, {10682,2975,7,3}, {10689,2978,6,3}, {10695,2981,7,2},
    {10702,2983,7,3}, {10709,2983,11,3}, {10720,2986,4,3}, {10724,2989,5,3}, {10729,2989,9,3}, {10738,2992,4,3},
    {10742,2992,5,3}, {10747,2986,6,3}, {10753,2995,6,3}, {10759,2998,6,3}, {10765,3001,6,3}, {10771,604,6,3},
    {10777,691,14,3}, {10791,694,19,3}, {10810,3004,11,3}, {10821,697,15,3}, {10836,2862,14,3}, {10850,3007,15,3},
    {10865,3010,6,3}, {10871,3013,5,4}, {10876,3017,7,3}, {10883,3020,8,3}, {10891,3023,7,3}, {10898,1395,7,1},
    {10905,3026,4,3}, {10909,3026,8,3}, {10917,1791,5,3}, {10922,3029,5,1}, {10927,3030,7,3}, {10934,598,6,3},
    {10940,2275,9,3}, {10949,1120,6,3}, {10955,3033,7,3}, {10962,3036,4,3}, {10966,3039,6,3}, {10972,3042,7,3},
    {10979,3045,5,4}, {10984,710,4,3}, {10988,676,5,3}, {10993,3049,6,3}, {10999,3052,6,3}, {11005,2896,5,1},
    {11010,1001,6,3}, {11016,3055,7,3}, {11023,3058,7,2}, {11030,569,2,1}, {11032,569,3,1}, {11035,3060,5,3},
    {11040,3063,6,3}, {11046,2954,6,3}, {11052,2930,7,3}, {11059,3066,7,3}, {11066,3069,7,3}, {11073,3072,8,3},
    {11081,3075,7,3}, {11088,3078,5,3}, {11093,640,6,3}, {11099,1800,6,3}, {11105,3081,9,3}, {11114,3084,8,3},
    {11122,3087,10,6}, {11132,3087,5,6}, {11137,3093,6,3}, {11143,3096,4,2}, {11147,3096,5,2}, {11152,3098,5,3},
    {11157,3101,5,3}, {11162,3101,8,3}, {11170,1161,4,3}, {11174,1161,7,3}, {11181,294,11,3}, {11192,628,11,3},
    {11203,1432,9,3}, {11212,3104,7,3}, {11219,3107,7,3}, {11226,3110,4,2}, {11230,3112,6,3}, {11236,1640,14,3},
    {11250,3115,4,4}, {11254,3119,4,3}, {11258,3122,5,2}, {11263,3122,6,2}, {11269,1475,4,3}, {11273,1707,7,1},
    {11280,3124,7,3}, {11287,106,6,2}, {11293,106,7,2}, {11300,3127,6,3}, {11306,1928,7,3}, {11313,2266,7,3},
    {11320,3130,8,3}, {11328,3133,5,3}, {11333,2646,5,3}, {11338,733,7,3}, {11345,3136,7,3}, {11352,3139,5,4},
    {11357,733,3,3}, {11360,3143,5,4}, {11365,1586,7,3}, {11372,3147,3,2}, {11375,3149,9,3}, {11384,3149,6,3},
    {11390,3152,4,5}, {11394,3157,4,6}, {11398,805,5,5}, {11403,3163,11,3}, {11414,3166,16,3}, {11430,3169,4,5},
    {11434,3174,4,6}, {11438,851,5,5}, {11443,3180,12,3}, {11455,3183,7,3}, {11462,3186,7,3}, {11469,190,6,3},
    {11475,3189,7,2}, {11482,3191,5,6}, {11487,958,4,3}, {11491,3197,5,5}, {11496,3202,6,5}, {11502,3207,6,2},
    {11508,958,8,3}, {11516,3209,6,3}, {11522,3209,8,3}, {11530,765,9,3}, {11539,763,4,2}, {11543,763,5,2},
    {11548,821,6,5}, {11554,826,7,5}, {11561,3212,5,3}, {11566,3215,7,2}, {11573,3217,7,2}, {11580,955,6,3},
    {11586,3219,9,5}, {11595,3224,5,3}, {11600,3227,4,2}, {11604,3229,6,3}, {11610,783,3,3}, {11613,3232,6,3},
    {11619,3235,7,3}, {11626,1438,6,3}, {11632,1438,8,3}, {11640,3238,6,5}, {11646,771,7,3}, {11653,3243,7,3},
    {11660,786,6,5}, {11666,791,7,3}, {11673,791,8,3}, {11681,3246,4,4}, {11685,800,4,5}, {11689,797,4,3},
    {11693,797,5,3}, {11698,800,6,5}, {11704,813,10,5}, {11714,813,5,5}, {11719,818,6,3}, {11725,794,4,3},
    {11729,794,5,3}, {11734,3166,6,3}, {11740,3250,6,3}, {11746,3253,6,3}, {11752,1117,3,3}, {11755,3256,4,3},
    {11759,3259,5,3}, {11764,1117,4,3}, {11768,3262,5,2}, {11773,3163,6,3}, {11779,3264,4,5}, {11783,3269,6,3},
    {11789,3272,5,3}, {11794,845,4,3}, {11798,3269,11,3}, {11809,3250,16,3}, {11825,845,5,3}, {11830,3264,6,5},
    {11836,856,10,5}, {11846,856,5,5}, {11851,842,6,3}, {11857,861,6,3}, {11863,842,4,3}, {11867,831,6,3},
    {11873,839,7,3}, {11880,961,5,3}, {11885,3275,5,4}, {11890,3279,3,2}, {11893,3279,4,2}, {11897,780,6,3},
    {11903,3281,7,5}, {11910,3286,9,5}, {11919,780,8,3}, {11927,3291,8,3}, {11935,3294,8,3}, {11943,885,6,3},
    {11949,885,8,3}, {11957,3297,8,3}, {11965,3300,8,3}, {11973,777,5,3}, {11978,777,10,3}, {11988,3303,7,6},
    {11995,3309,6,5}, {12001,3314,8,3}, {12009,874,4,3}, {12013,882,7,3}, {12020,877,5,5}, {12025,874,6,3},
    {12031,877,8,5}, {12039,3180,6,3}, {12045,3317,6,3}, {12051,3320,7,5}, {12058,3325,7,5}, {12065,3317,12,3},
    {12077,888,6,3}, {12083,896,7,3}, {12090,924,4,3}, {12094,932,7,3}, {12101,927,5,5}, {12106,3330,5,4},
    {12111,961,10,3}, {12121,777,15,3}, {12136,949,5,3}, {12141,952,6,3}, {12147,952,7,3}, {12154,961,6,3},
    {12160,777,6,3}, {12166,904,8,3}, {12174,912,8,3}, {12182,3334,5,3}, {12187,3337,6,5}, {12193,921,6,3},
    {12199,915,8,6}, {12207,921,10,3}, {12217,3337,11,5}, {12228,924,6,3}, {12234,927,8,5}, {12242,3342,5,3},
    {12247,3345,6,5}, {12253,946,6,3}, {12259,940,8,6}, {12267,946,10,3}, {12277,3345,11,5}, {12288,810,5,3},
    {12293,3350,6,2}, {12299,3350,7,2}, {12306,848,5,3}, {12311,831,14,3}, {12325,839,16,3}, {12341,888,15,3},
    {12356,896,17,3}, {12373,3352,3,2}, {12376,3354,4,1}, {12380,3355,7,3}, {12387,3358,6,3}, {12393,3361,7,3},
    {12400,3364,7,3}, {12407,3367,5,6}, {12412,3373,7,3}, {12419,3376,5,6}, {12424,3382,5,4}, {12429,3386,8,3},
    {12437,3389,7,3}, {12444,3392,5,6}, {12449,3398,5,4}, {12454,3402,8,6}, {12462,3408,7,3}, {12469,3411,8,6},
    {12477,3417,6,6}, {12483,3423,6,3}, {12489,3426,7,3}, {12496,1435,6,3}, {12502,1435,8,3}, {12510,3429,7,3},
    {12517,2071,3,3}, {12520,3432,6,2}, {12526,3432,7,2}, {12533,2074,5,3}, {12538,2077,5,3}, {12543,3434,5,2},
    {12548,3434,6,2}, {12554,3436,4,2}, {12558,2080,6,3}, {12564,3438,7,2}, {12571,3440,5,3}, {12576,110,5,3},
    {12581,3443,7,3}, {12588,3446,6,2}, {12594,3448,6,3}, {12600,3451,4,4}, {12604,3455,5,2}, {12609,3457,6,2},
    {12615,3457,7,2}, {12622,3459,4,3}, {12626,3462,6,3}, {12632,990,4,2}, {12636,143,5,3}, {12641,2065,6,3},
    {12647,3465,6,3}, {12653,3468,8,3}, {12661,1020,6,3}, {12667,3471,4,3}, {12671,3474,6,2}, {12677,3476,6,2},
    {12683,3478,8,2}, {12691,3480,5,3}, {12696,113,7,3}, {12703,3483,5,4}, {12708,3487,5,3}, {12713,3490,6,3},
    {12719,116,6,3}, {12725,3493,3,3}, {12728,2068,6,3}, {12734,3496,4,3}, {12738,3499,6,3}, {12744,3499,8,3},
    {12752,3502,4,2}, {12756,3502,5,2}, {12761,3504,4,2}, {12765,3504,5,2}, {12770,3506,7,3}, {12777,3509,5,3},
    {12782,3512,8,3}, {12790,3515,4,3}, {12794,3499,5,3}, {12799,3518,6,2}, {12805,3518,7,2}, {12812,3520,5,3},
    {12817,3523,6,2}, {12823,3523,7,2}, {12830,119,7,3}, {12837,3525,9,3}, {12846,3528,4,2}, {12850,3528,5,2},
    {12855,3530,6,3}, {12861,256,4,3}, {12865,3533,4,2}, {12869,3533,5,2}, {12874,256,9,3}, {12883,3535,7,3},
    {12890,3538,6,3}, {12896,1032,5,3}, {12901,3541,4,2}, {12905,3543,7,1}, {12912,3544,7,1}, {12919,3545,7,3},
    {12926,1429,5,3}, {12931,3548,8,3}, {12939,3551,4,4}, {12943,3555,4,2}, {12947,3557,5,2}, {12952,726,7,3},
    {12959,3559,6,3}, {12965,3562,3,2}, {12968,2463,10,3}, {12978,3564,4,2}, {12982,2638,7,3}, {12989,3566,8,3},
    {12997,2638,7,3}, {13004,3569,5,1}, {13009,3570,9,3}, {13018,1931,6,3}, {13024,3573,8,3}, {13032,2269,7,3},
    {13039,3576,7,3}, {13046,3579,6,3}, {13052,1045,6,2}, {13058,1045,7,2}, {13065,3582,8,3}, {13073,3585,8,3},
    {13081,1045,3,2}, {13084,3588,9,3}, {13093,3591,5,4}, {13098,3595,5,2}, {13103,3595,6,2}, {13109,1053,3,3},
    {13112,3597,4,3}, {13116,3600,5,3}, {13121,1059,6,3}, {13127,1056,4,3}, {13131,1053,5,3}, {13136,3600,11,3},
    {13147,1059,12,3}, {13159,1056,7,3}, {13166,3603,12,3}, {13178,3606,9,3}, {13187,3609,9,3}, {13196,1062,8,3},
    {13204,3612,6,3}, {13210,1047,7,3}, {13217,3606,5,3}, {13222,3603,6,3}, {13228,3609,7,3}, {13235,1068,5,3},
    {13240,3615,9,3}, {13249,3618,9,3}, {13258,3621,9,3}, {13267,1071,5,3}, {13272,1071,7,3}, {13279,1062,6,3},
    {13285,3624,7,3}, {13292,3627,5,4}, {13297,3631,4,2}, {13301,3633,7,3}, {13308,3636,4,4}, {13312,2706,5,3},
    {13317,3640,5,4}, {13322,3644,7,3}, {13329,3647,5,4}, {13334,458,12,3}, {13346,3651,8,3}, {13354,3654,6,1},
    {13360,2397,8,3}, {13368,1080,4,1}, {13372,1080,5,1}, {13377,1200,6,3}, {13383,244,5,3}, {13388,3655,7,3},
    {13395,2210,6,3}, {13401,3658,5,3}, {13406,3661,5,5}, {13411,3666,7,2}, {13418,1247,6,3}, {13424,3668,9,3},
    {13433,1128,5,3}, {13438,3671,6,3}, {13444,3674,6,3}, {13450,1128,7,3}, {13457,3677,5,2}, {13462,3677,6,2},
    {13468,1131,5,3}, {13473,3679,7,3}, {13480,1134,6,3}, {13486,3682,8,3}, {13494,3685,6,3}, {13500,3688,7,3},
    {13507,2671,7,3}, {13514,3007,7,3}, {13521,3691,7,3}, {13528,3694,8,3}, {13536,3697,7,3}, {13543,3700,6,3},
    {13549,3703,7,3}, {13556,3706,6,3}, {13562,1085,10,3}, {13572,1788,6,3}, {13578,3709,6,3}, {13584,3712,7,1},
    {13591,3713,7,1}, {13598,3714,6,3}, {13604,3717,8,3}, {13612,3720,8,3}, {13620,3723,7,2}, {13627,3725,7,2},
    {13634,1140,6,3}, {13640,3712,5,1}, {13645,3727,4,2}, {13649,3729,5,3}, {13654,3732,8,3}, {13662,125,6,3},
    {13668,125,7,3}, {13675,3735,5,3}, {13680,1114,5,3}, {13685,1203,8,3}, {13693,1114,9,3}, {13702,1194,6,3},
    {13708,3738,5,3}, {13713,1095,3,2}, {13716,1095,4,2}, {13720,3741,7,3}, {13727,1155,7,3}, {13734,3744,4,4},
    {13738,285,6,3}, {13744,1188,6,3}, {13750,3748,7,3}, {13757,3751,4,2}, {13761,3753,5,2}, {13766,1131,11,3},
    {13777,3697,15,3}, {13792,285,17,3}, {13809,1188,15,3}, {13824,1137,16,3}, {13840,348,18,3}, {13858,3755,17,3},
    {13875,3700,16,3}, {13891,3758,16,3}, {13907,3761,5,2}, {13912,2406,13,3}, {13925,1137,6,3}, {13931,348,6,3},
    {13937,3763,4,3}, {13941,3766,7,3}, {13948,3766,11,3}, {13959,3769,6,3}, {13965,3772,6,3}, {13971,3775,6,3},
    {13977,1143,6,3}, {13983,3778,6,3}, {13989,3781,5,4}, {13994,3785,7,3}, {14001,3788,8,3}, {14009,3791,5,1},
    {14014,3792,7,3}, {14021,3795,9,3}, {14030,3755,6,3}, {14036,3798,7,3}, {14043,3801,5,4}, {14048,1206,4,3},
    {14052,3713,5,1}, {14057,128,6,3}, {14063,128,7,3}, {14070,3758,7,3}, {14077,3805,7,3}, {14084,3808,5,3},
    {14089,1173,6,3}, {14095,1803,6,3}, {14101,3811,9,3}, {14110,3814,8,3}, {14118,3817,3,3}, {14121,3820,7,2},
    {14128,3055,6,3}, {14134,1284,3,3}, {14137,3822,4,3}, {14141,3825,5,3}, {14146,3828,7,2}, {14153,1290,6,3},
    {14159,1287,4,3}, {14163,3830,7,2}, {14170,3832,6,2}, {14176,3834,5,3}, {14181,3837,6,3}, {14187,3840,7,3},
    {14194,3843,9,3}, {14203,1293,6,3}, {14209,3846,4,2}, {14213,3848,5,3}, {14218,2272,6,3}, {14224,3851,6,3},
    {14230,3854,6,3}, {14236,2656,7,3}, {14243,707,6,3}, {14249,707,8,3}, {14257,3857,4,2}, {14261,3857,5,2},
    {14266,3859,5,1}, {14271,3860,7,3}, {14278,46,9,3}, {14287,46,6,3}, {14293,3863,5,3}, {14298,3866,4,4},
    {14302,2517,7,3}, {14309,3870,6,3}, {14315,3873,7,2}, {14322,3875,5,2}, {14327,1475,9,3}, {14336,256,14,3},
    {14350,3877,3,2}, {14353,3877,4,2}, {14357,3879,6,2}, {14363,3881,7,2}, {14370,3881,7,2}, {14377,1344,4,3},
    {14381,3883,7,3}, {14388,1347,5,3}, {14393,1347,6,3}, {14399,3886,5,3}, {14404,3889,6,3}, {14410,3892,5,3},
    {14415,3895,6,3}, {14421,3898,6,3}, {14427,3901,8,3}, {14435,3904,8,3}, {14443,592,6,3}, {14449,46,14,3},
    {14463,3907,7,3}, {14470,3910,9,3}, {14479,1475,5,3}, {14484,3913,6,3}, {14490,3916,4,3}, {14494,3919,5,3},
    {14499,3922,6,6}, {14505,3928,7,2}, {14512,3930,4,1}, {14516,3931,5,3}, {14521,3934,7,3}, {14528,3937,5,4},
    {14533,3941,7,3}, {14540,3941,10,3}, {14550,256,5,3}, {14555,1253,6,3}, {14561,3944,7,6}, {14568,1268,6,3},
    {14574,3950,7,6}, {14581,1256,6,3}, {14587,1259,7,3}, {14594,1256,9,3}, {14603,1259,11,3}, {14614,1262,6,3},
    {14620,1265,7,3}, {14627,1262,9,3}, {14636,1265,11,3}, {14647,1250,4,3}, {14651,1250,7,3}, {14658,376,7,3},
    {14665,376,5,3}, {14670,1131,6,3}, {14676,3956,5,4}, {14681,46,7,3}, {14688,3913,7,3}, {14695,1275,7,3},
    {14702,3960,5,3}, {14707,1776,6,3}, {14713,2394,16,2}, {14729,3557,12,2}, {14741,3096,6,2}, {14747,3963,4,3},
    {14751,3966,5,3}, {14756,3969,7,3}, {14763,1281,5,3}, {14768,3972,8,3}, {14776,3975,8,3}, {14784,3978,6,3},
    {14790,3981,6,3}, {14796,3984,8,3}, {14804,3987,8,3}, {14812,3963,7,3}, {14819,1281,9,3}, {14828,3966,10,3},
    {14838,3981,10,3}, {14848,3978,11,3}, {14859,3990,7,3}, {14866,3993,7,3}, {14873,3996,7,3}, {14880,1284,5,3},
    {14885,3825,11,3}, {14896,1290,12,3}, {14908,1287,7,3}, {14915,3837,12,3}, {14927,3834,9,3}, {14936,3840,9,3},
    {14945,1293,8,3}, {14953,1296,4,3}, {14957,3999,5,3}, {14962,4002,4,2}, {14966,4002,5,2}, {14971,4004,4,2},
    {14975,4004,5,2}, {14980,4006,4,2}, {14984,4006,5,2}, {14989,1302,4,3}, {14993,4008,5,3}, {14998,4011,7,3},
    {15005,4014,8,3}, {15013,1305,5,3}, {15018,4017,8,3}, {15026,4020,8,3}, {15034,4023,8,3}, {15042,4026,8,3},
    {15050,4029,8,3}, {15058,4032,6,3}, {15064,4035,6,3}, {15070,4038,8,3}, {15078,1302,7,3}, {15085,1305,9,3},
    {15094,4008,10,3}, {15104,4035,10,3}, {15114,4032,11,3}, {15125,4041,7,3}, {15132,4044,7,3}, {15139,4047,7,3},
    {15146,4050,6,3}, {15152,2659,7,3}, {15159,704,6,3}, {15165,704,8,3}, {15173,4053,7,3}, {15180,4056,5,2},
    {15185,4056,6,2}, {15191,4058,7,3}, {15198,4061,4,2}, {15202,1026,5,3}, {15207,4063,7,2}, {15214,4065,7,2},
    {15221,4067,4,2}, {15225,1360,5,3}, {15230,4069,7,3}, {15237,4072,4,4}, {15241,1330,7,3}, {15248,1330,10,3},
    {15258,4076,6,2}, {15264,4078,9,2}, {15273,4078,7,2}, {15280,1353,12,3}, {15292,1344,9,3}, {15301,1341,7,3},
    {15308,1353,6,3}, {15314,1344,7,3}, {15321,4080,5,2}, {15326,4080,6,2}, {15332,206,6,2}, {15338,4082,5,2},
    {15343,4082,6,2}, {15349,1934,7,3}, {15356,4084,9,3}, {15365,4087,7,3}, {15372,2709,5,3}, {15377,3243,5,3},
    {15382,291,4,3}, {15386,4090,7,3}, {15393,4093,7,3}, {15400,4096,5,4}, {15405,4100,8,3}, {15413,3860,5,3},
    {15418,4103,7,3}, {15425,1310,6,3}, {15431,4106,9,3}, {15440,2295,13,3}, {15453,3078,13,3}, {15466,640,15,3},
    {15481,4109,10,3}, {15491,3808,14,3}, {15505,1173,16,3}, {15521,4112,7,3}, {15528,4109,5,3}, {15533,4115,9,3},
    {15542,4118,8,3}, {15550,4121,6,3}, {15556,4124,8,3}, {15564,4127,9,3}, {15573,4130,5,4}, {15578,4134,5,2},
    {15583,4136,6,2}, {15589,4138,7,2}, {15596,1754,6,3}, {15602,580,17,3}, {15619,1102,18,3}, {15637,250,5,3},
    {15642,4140,5,3}, {15647,4143,6,2}, {15653,4143,7,2}, {15660,1235,5,3}, {15665,4145,6,2}, {15671,4147,7,2},
    {15678,4149,5,2}, {15683,4149,6,2}, {15689,4151,4,2}, {15693,1420,6,3}, {15699,4153,7,2}, {15706,1426,6,3},
    {15712,4155,7,3}, {15719,4158,4,4}, {15723,4162,6,2}, {15729,4162,7,2}, {15736,649,6,3}, {15742,1182,6,3},
    {15748,4164,6,3}, {15754,4167,7,3}, {15761,4167,9,3}, {15770,4170,7,3}, {15777,4173,6,3}, {15783,4176,6,2},
    {15789,218,3,2}, {15792,218,4,2}, {15796,4178,6,2}, {15802,4180,5,4}, {15807,1235,8,3}, {15815,1423,12,3},
    {15827,649,14,3}, {15841,1182,15,3}, {15856,1408,6,3}, {15862,4184,5,2}, {15867,1441,6,2}, {15873,4184,8,2},
    {15881,4186,11,3}, {15892,4189,7,3}, {15899,4189,9,3}, {15908,4192,7,3}, {15915,4195,6,2}, {15921,4197,6,3},
    {15927,4200,5,4}, {15932,4204,6,3}, {15938,4207,7,2}, {15945,4106,5,3}, {15950,1794,6,3}, {15956,4186,6,3},
    {15962,4209,4,2}, {15966,4209,5,2}, {15971,4211,8,3}, {15979,253,5,3}, {15984,4214,5,3}, {15989,4217,6,3},
    {15995,247,6,3}, {16001,4220,7,3}, {16008,2394,11,2}, {16019,2805,9,2}, {16028,2360,11,3}, {16039,3557,7,2},
    {16046,3564,6,2}, {16052,1071,10,3}, {16062,1423,5,3}, {16067,3753,7,2}, {16074,3881,9,2}, {16083,4223,13,6},
    {16096,4229,14,6}, {16110,4235,13,6}, {16123,4241,14,6}, {16137,4078,9,2}, {16146,634,16,3}, {16162,1167,17,3},
    {16179,4247,4,2}, {16183,1158,6,3}, {16189,3493,4,3}, {16193,4249,7,3}, {16200,4252,6,3}, {16206,4255,7,3},
    {16213,1478,7,1}, {16220,1478,5,1}, {16225,4258,4,4}, {16229,634,6,3}, {16235,915,6,6}, {16241,940,6,6},
    {16247,4262,5,4}, {16252,1071,6,3}, {16258,1167,6,3}, {16264,4266,5,4}, {16269,4229,7,6}, {16276,4223,7,6},
    {16283,4241,7,6}, {16290,4235,7,6}, {16297,4270,8,3}, {16305,4273,6,2}, {16311,4275,7,3}, {16318,1619,6,3},
    {16324,4278,7,3}, {16331,4281,7,3}, {16338,4284,4,4}, {16342,4288,5,4}, {16347,4281,3,3}, {16350,1482,3,3},
    {16353,1482,7,3}, {16360,4292,5,4}, {16365,499,5,3}, {16370,1761,6,3}, {16376,1405,5,3}, {16381,1779,6,3},
    {16387,4296,4,4}, {16391,238,6,3}, {16397,694,6,3}, {16403,4300,3,2}, {16406,235,6,3}, {16412,691,6,3},
    {16418,3004,5,3}, {16423,4302,5,3}, {16428,1764,6,3}, {16434,4305,5,4}, {16439,1767,7,3}, {16446,1770,7,3},
    {16453,241,6,3}, {16459,697,6,3}, {16465,4309,5,4}, {16470,1773,7,3}, {16477,1785,7,3}, {16484,1782,6,3},
    {16490,1469,5,3}, {16495,1505,7,3}, {16502,4313,6,2}, {16508,4313,7,2}, {16515,4315,5,2}, {16520,4317,6,2},
    {16526,4319,4,2}, {16530,4321,3,2}, {16533,4321,4,2}, {16537,4323,4,4}, {16541,4327,5,2}, {16546,4329,5,4},
    {16551,4333,5,4}, {16556,4337,5,2}, {16561,4339,4,2}, {16565,4339,5,2}, {16570,4341,7,2}, {16577,4343,7,2},
    {16584,4345,4,2}, {16588,4347,5,2}, {16593,1572,7,3}, {16600,4349,5,2}, {16605,4351,4,4}, {16609,4355,5,2},
    {16614,4357,8,3}, {16622,4360,5,4}, {16627,4364,5,4}, {16632,4368,4,3}, {16636,4371,5,3},
};

const std::uint16_t kEntityFirst[kEntityLetters + 1] = {
    0, 27, 39, 75, 129, 159, 167, 189, 201, 230, 237, 245, 305, 314, 386, 415,
    434, 439, 484, 524, 547, 587, 604, 609, 613, 624, 634, 634, 634, 634, 634, 634,
    634, 703, 819, 918, 984, 1051, 1090, 1150, 1178, 1234, 1242, 1252, 1406, 1446, 1614, 1675,
    1744, 1755, 1859, 2017, 2075, 2127, 2169, 2180, 2204, 2218, 2231,
};
// clang-format on

}  // namespace sheaf::html
