// Library code that the browser never reaches: the build settles its conditions, and the minifier leaves it out
// (decision 72).
import type { Plugin } from "vite";

type Replacement = [found: string | RegExp, by: string | ((found: string) => string)];
/** Returns the code unchanged when it does not find its place. */
export type Edit = Replacement | ((code: string) => string);

/** A function whose answer is always the same here. */
export const always =
  (name: string, answer: string): Edit =>
  (code) => {
    const lines = code.split("\n");
    const first = lines.findIndex((line) => line.replace(/^ *(async )?/, "").startsWith(`function ${name}(`));
    const [indent] = /^ */.exec(lines[first] ?? "") ?? [""];
    const last = lines.indexOf(`${indent}}`, first);
    if (first === -1 || last === -1) return code;
    lines.splice(first, last - first + 1, `${lines[first]} return ${answer}; ${indent}}`);
    return lines.join("\n");
  };

/** The minifier leaves out an argument that its function does not take: here the texts for developers. */
const WORDLESS: Edit = [
  /function invariant\(value, message\) \{([\s\S]*?)Error\(message\)/,
  "function invariant(value) {$1Error()",
];

/** remix.config.ts sets every flag of Remix, and Remix then every flag of its router. */
const FLAGS: Edit = [/(?:window\.__remixContext\.)?\bfuture\.v3_\w+/g, "true"];
const NEVER_SPA: Edit = [/\bisSpaMode(?= &&)|(?<=if \()isSpaMode/g, "false"];

/**
 * Fields of React's own records, by frequency. No other package reads them, and React has them neither in a string nor
 * on an object of the browser.
 */
const FIELDS = (
  "memoizedState flags child stateNode sibling lanes alternate updateQueue memoizedProps pendingProps childLanes " +
  "containerInfo baseState subtreeFlags elementType dehydrated blockedOn deletions lane payload interleaved " +
  "pendingLanes lastBaseUpdate suspendedLanes lastEffect isDehydrated firstBaseUpdate effects baseLanes pingedLanes " +
  "retryLane firstContext hasEagerState pendingContext callbackNode baseQueue eagerState eventTime stores " +
  "finishedWork finishedLanes lastRenderedReducer lastRenderedState cachePool renderingStartTime callbackPriority " +
  "timeoutHandle entangledLanes entanglements"
).split(" ");
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Every browser of the build's target has these. */
const PRESENT: Edit = [
  /"function"===typeof (?:setTimeout|clearTimeout|Promise|queueMicrotask|WeakSet|WeakMap|Object\.is)(?!\.)|"undefined"!==typeof MessageChannel|"object"===typeof performance&&"function"===typeof performance\.now/g,
  "!0",
];
/** No component has default values outside its parameters. */
const DEFAULTLESS: Edit = [/\b\w+(?:\.type)?\.defaultProps/g, "void 0"];

/** Neither the application nor a package of it uses these, so the browser's React does not know them. */
const UNKNOWN =
  /\b(?:(?:UNSAFE_)?componentWill(?:Mount|ReceiveProps|Update|Unmount)|componentDid(?:Mount|Update)|shouldComponentUpdate|getSnapshotBeforeUpdate|getChildContext|(?:childC|c)ontextTypes|defaultProps|onSelect|onBeforeInput|createFactory|Profiler|PureComponent|Children\.(?:map|forEach|count|toArray|only)|use(?:DebugValue|DeferredValue|InsertionEffect|Transition))\b/;

const EDITS: Record<string, Edit[]> = {
  "react/cjs/react.production.min.js": [
    [
      /exports\.(Children|Profiler|PureComponent|act|unstable_act|createFactory|use(?:DebugValue|DeferredValue|InsertionEffect|Transition))=/g,
      "const $1=",
    ],
    DEFAULTLESS,
  ],
  "react/cjs/react-jsx-runtime.production.min.js": [DEFAULTLESS],
  "scheduler/cjs/scheduler.production.min.js": [
    PRESENT,
    ['"undefined"!==typeof setImmediate?setImmediate:null', "null"],
    [/"undefined"!==typeof navigator&&.+?\.bind\(navigator\.scheduling\);/, ""],
    [
      /exports\.unstable_(Profiling|continueExecution|forceFrameRate|getFirstCallbackNode|next|pauseExecution|runWithPriority|wrapCallback)=/g,
      "const $1=",
    ],
  ],
  "react-dom/cjs/react-dom.production.min.js": [
    PRESENT,
    DEFAULTLESS,
    // The few classes are error boundaries.
    [
      /"function"([!=])==typeof \w+\.(?:(?:UNSAFE_)?componentWill(?:Mount|ReceiveProps|Update|Unmount)|componentDid(?:Mount|Update)|shouldComponentUpdate|getSnapshotBeforeUpdate|getChildContext)\b/g,
      (found) => (found.includes("!==") ? "!0" : "!1"),
    ],
    [/if\(b\.flags&4&&!U\)if\(null===c\)d\.componentDidMount\(\);else\{.*?\}(?=var f=)/, ""],
    [/(?<=case 1:)if\(null!==n\)\{var t=n\.memoizedProps.*?\}(?=break;)/, ""],
    ["b.prototype&&b.prototype.isPureReactComponent", "!1"],
    [/\b\w+(?:\.type)?\.(?:childC|c)ontextTypes/g, "void 0"],
    ['"object"===typeof e&&null!==e&&"function"===typeof e.render&&void 0===e.$$typeof', "!1"],
    [/(?<=function Lg\(a,b,c\)\{)[\s\S]*?(?=\}\nfunction Mg)/, "return c.ref"],
    // The names of the components in a stack are minified ones.
    [/try\{var c="",d=b;do c\+=Pa\(d\).*?catch\(f\)\{e="[^}]*\}/, 'var e="";'],
    ['Ra(a)||"Unknown"', '"Unknown"'],
    // The numbers of errors are in React's list without the address of it.
    [
      /for\(var b="https:\/\/reactjs\.org.*?additional helpful warnings\."/,
      'return"Minified React error #"+a',
    ],
    // Lists of suspended parts.
    [/case 19:d=0!==\(c&\s*b\.childLanes\);[\s\S]*?(?=case 22:)/, ""],
    [/case 19:E\(L\);f=b\.memoizedState;[\s\S]*?(?=case 22:)/, ""],
    [/case 19:return xj\(a,b,c\);/, ""],
    [/useDebugValue:[\s\S]*?useMutableSource:.*?,(?=use)/g, ""],
    [/useInsertionEffect:.*?,(?=use)/g, ""],
    // Events of browsers that the build does not serve, and events that nothing listens to.
    [/ia=!\("undefined"===typeof window\|\|.+?\)(?=,ja=)/, "ia=!0"],
    [/Lb=!1;if\(ia\)try\{.*?catch\(a\)\{Lb=!1\}/, "Lb=!0;"],
    [/(?<=Qd=A\(\{\},ud,\{key:)function.*?Nd\[a\.keyCode\]\|\|"Unidentified":""\}/, "0"],
    [/(?<=relatedTarget:)function\(a\)\{return void 0===a\.relatedTarget.*?\}/, "0"],
    [/ae=ia&&"CompositionEvent"[\s\S]*?(?=,ee=)/, "ae=!0,de=!1"],
    [/var we=!1;if\(ia\)\{var xe.*?documentMode\)\}/, ""],
    ["if(we)na=Fe;else{na=De;var xa=Ce}", "na=Fe;"],
    ["xa&&xa(a,h,d);", "var xa;"],
    [/switch\(a\)\{case "focusin":if\(me\(xa\).*?Ue\(g,c,e\)\}/, ""],
    [/if\(\$a=ce\?je\(a,c\)[\s\S]*?e\.data=\$a\)/, ""],
    [/fa\("onSelect",.*?;fa\("onBeforeInput",.*?;/, ""],
    [/var We=\{animationend[\s\S]*?transitionend\.transition\);/, ""],
    [/Ze\(("\w+")\)/g, (found) => found.slice(3, -1)],
    [/var mb,nb=function[\s\S]*?(?=\nfunction ob)/, "var nb=function(a,b){a.innerHTML=b};"],
    [/,qb=\["Webkit".*?\}\)\}\);/, ";"],
    // Every root is a concurrent one.
    [/(?<![\w.])0===\(\w+\.mode&1\)/g, "!1"],
    [/(?<![\w.])0!==\(\w+\.mode&1\)/g, "!0"],
    [/(?<=&&|\|\|)\w+\.mode&1/g, "!0"],
    [
      /exports\.(findDOMNode|hydrate|render|unmountComponentAtNode|unstable_renderSubtreeIntoContainer|createRoot|__SECRET\w+)=/g,
      "const $1=",
    ],
    // React's browser extension reads the page through this.
    [
      /var ul=\{bundleType:[\s\S]*?\};if\("undefined"!==typeof __REACT_DEVTOOLS_GLOBAL_HOOK__\)\{.*?\}catch\(a\)\{\}\}/,
      "",
    ],
    [/\b[A-Za-z]+\b/g, (name) => LETTERS[FIELDS.indexOf(name)] ?? name],
  ],
  "@remix-run/router/dist/router.js": [
    WORDLESS,
    always("warning", "undefined"),
    // No page shows them.
    [/(?<= {2})errorMessage = "[^;]+;/g, ""],
    [/\bfuture\.v7_(?!throwAbortReason)\w+/g, "true"],
    // The page's data is a stream of its own, so the router never sees deferred data.
    always("isDeferredResult", "false"),
    always("isDeferredData", "false"),
    always("resolveNavigationDeferredResults", "undefined"),
    always("resolveFetcherDeferredResults", "undefined"),
    // No page blocks its leaving.
    always("shouldBlockNavigation", "undefined"),
    [/let blockerKey = shouldBlockNavigation\(\{[^}]*\}\)/g, "const blockerKey = undefined"],
    ["    getBlocker,\n    deleteBlocker,\n", ""],
    // For tests of an application, and for a development server.
    ["    dispose,\n", ""],
    ["    _internalSetRoutes\n", ""],
  ],
  // To recognise V8, ProseMirror reads the trace of an error, for which V8 parses the editor's whole chunk again. That
  // blocks a slow phone for 60 ms.
  "prosemirror-model/dist/index.js": [['let { stack } = new Error("/");', 'const stack = "\\n at ";']],
  // The root route has an error element, and all flags are set.
  "react-router/dist/index.js": [[/(const defaultErrorElement = ).+;/, "$1null;"]],
  "react-router-dom/dist/index.js": [
    [/React\.useEffect\(\(\) => UNSAFE_logV6DeprecationWarnings\(.+\);/, ""],
  ],
  "@remix-run/react/dist/esm/invariant.js": [WORDLESS],
  "@remix-run/react/dist/esm/browser.js": [
    FLAGS,
    [/window\.__remixContext\.isSpaMode/g, "false"],
    [/shouldHydrateRouteLoader\(manifestRoute.+?\)/, "false"],
    // Only a development server replaces routes.
    ["router.createRoutesForHMR = createClientRoutesWithHMRRevalidationOptOut;", ""],
  ],
  "@remix-run/react/dist/esm/routes.js": [
    FLAGS,
    NEVER_SPA,
    // With single fetch, every loader and action gets the function that fetches.
    ['if (typeof singleFetch === "function") {', "{"],
    ["if (needsRevalidation) {", "if (false) {"],
    // The root route has an error boundary, and no route has a client loader or action.
    [/route\.id === "root" \? RemixRootDefaultHydrateFallback : undefined/, "undefined"],
    [/route\.id === "root" \? \(\) => [\s\S]*?\}\) : undefined/, "undefined"],
    [/\b(?:routeModule|mod)\.client(?:Loader|Action)\b(?!\()/g, "undefined"],
    [/!route\.hasClient(?:Loader|Action)/g, "true"],
  ],
  "@remix-run/react/dist/esm/components.js": [
    FLAGS,
    NEVER_SPA,
    ["= isFogOfWarEnabled(future, isSpaMode)", "= true"],
    // The server writes the scripts of a page; the browser adopts them.
    ['typeof document === "undefined"', "false"],
    ['!isStatic && typeof __remixContext === "object" && __remixContext.a', "false"],
    ['!isStatic ? " "', 'true ? " "'],
    ["staticContext ? `", "false ? `"],
    ["isPageLinkDescriptor(link) ?", "false ?"],
  ],
  "@remix-run/react/dist/esm/links.js": [FLAGS],
  "@remix-run/react/dist/esm/fog-of-war.js": [["!isFogOfWarEnabled(future, isSpaMode)", "false"]],
  "@remix-run/react/dist/esm/single-fetch.js": [
    [/manifest\.routes\[m\.route\.id\]\.hasClientLoader/g, "false"],
  ],
  "@remix-run/react/dist/esm/errorBoundaries.js": [
    [/let heyDeveloper = [\s\S]*?\n {2}\}\);/, "let heyDeveloper = null;"],
  ],
};

function changed(code: string, edit: Edit): string {
  if (typeof edit === "function") return edit(code);
  const [found, by] = edit;
  // The second parameter has two types, of which `replace` takes either.
  return typeof found === "string" ? code.replaceAll(found, by as string) : code.replace(found, by as string);
}

/** The code of a library's file after all edits, each of which must find its place. */
export const edited = (file: string, code: string, edits: readonly Edit[]): string =>
  edits.reduce((before, edit) => {
    const after = changed(before, edit);
    if (after === before) throw new Error(`${file} no longer contains ${edit}.`);
    return after;
  }, code);

export const unusedLibraryCode: Plugin = {
  name: "unused-library-code",
  enforce: "pre",
  transform(code, id, options) {
    const edits = Object.entries(EDITS).find(([file]) => id.endsWith(`/node_modules/${file}`))?.[1];
    if (edits && !options?.ssr) return { code: edited(id, code, edits), map: null };
  },
  generateBundle(_options, bundle) {
    if (this.environment.name !== "client") return;
    for (const chunk of Object.values(bundle)) {
      const found = chunk.type === "chunk" && UNKNOWN.exec(chunk.code);
      if (found) throw new Error(`${chunk.fileName} uses ${found[0]}, which is not in the browser's React.`);
    }
  },
};
