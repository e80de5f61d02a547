// Library code that the server runs for every page and call, in a form that does less (decision 68).
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { always, type Edit, edited } from "./unused-library-code";

const SERVER_REACT = fileURLToPath(
  new URL("../../node_modules/react-dom/cjs/react-dom-server.browser.production.min.js", import.meta.url),
);

/**
 * React encodes each name, value and text of a page by itself into buffers of 512 bytes, and hands them to a stream. In
 * the worker an encoding costs more than the element around it, so a page is one text (decision 87).
 */
const ONE_TEXT: Edit[] = [
  ["var l=null,n=0;", ""],
  [
    /function p\(a,b\)\{.+?\}var ca=new TextEncoder;function u\(a\)\{return ca\.encode\(a\)\}function w\(a\)\{return ca\.encode\(a\)\}/,
    "function p(a,b){a.text+=b}function t(a,b){a.text+=b;return!0}function ba(){}function u(a){return a}function w(a){return a}",
  ],
  (code) => {
    const places = code.split("l=new Uint8Array(512);n=0;");
    return places.length === 3 ? places.join("") : code;
  },
  [
    /exports\.renderToReadableStream=function\(a,b\)\{.+?\};exports\.version/s,
    `exports.renderToReadableStream=function(a,b){return new Promise(function(c,d){
      var h=Rc(a,za(void 0,b.nonce),Aa(),Infinity,b.onError,function(){queueMicrotask(function(){
        var e={text:"",close:function(){c(e.text)}};try{fd(h,e)}catch(m){d(m)}
      })},void 0,d,d);Uc(h)})};exports.version`,
  ],
];

const after =
  (more: string): Edit =>
  (code) =>
    `${code}\n${more}`;

/** Absolute, without dots at a segment's start, empty segments, and empty or repeated "?" and "#". */
const PLAIN = String.raw`const PLAIN = /^\/(?:[^/.?#][^/?#]*(?:\/[^/.?#][^/?#]*)*\/?)?(?:\?[^?#]+)?(?:#[^#]+)?$/;
  const isPlain = (to) => typeof to === "string" && PLAIN.test(to);`;

const EDITS: Record<string, Edit[]> = {
  // An element copies its properties to take out `key` and `ref`, which few have.
  "react/cjs/react-jsx-runtime.production.min.js": [
    [
      "function q(c,a,g){",
      // In a replacement, "$$" writes one "$".
      "$&if(void 0===a.key&&void 0===a.ref&&!(c&&c.defaultProps))" +
        'return{$$$$typeof:k,type:c,key:void 0===g?null:""+g,ref:null,props:a,_owner:n.current};',
    ],
  ],
  // Drizzle asks for the class of every column and part of a statement, and walks up the chain of classes each time.
  "drizzle-orm/entity.js": [
    ["function is(value, type) {", "function walk(value, type) {"],
    after(`const answers = new WeakMap();
      function is(value, type) {
        const kind = value && typeof value === "object" ? Object.getPrototypeOf(value) : null;
        if (kind === null) return walk(value, type);
        let known = answers.get(kind);
        if (known === undefined) answers.set(kind, (known = new Map()));
        let answer = known.get(type);
        if (answer === undefined) known.set(type, (answer = walk(value, type)));
        return answer;
      }`),
  ],
  // The routes of a page and their expressions stay the same.
  "@remix-run/router/dist/router.js": [
    [
      "let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);",
      "let branches = rankedBranches(routes);",
    ],
    [
      "function compilePath(path, caseSensitive, end) {",
      "function compileNewPath(path, caseSensitive, end) {",
    ],
    after(`const rankedOf = new WeakMap();
      function rankedBranches(routes) {
        let branches = rankedOf.get(routes);
        if (branches === undefined) {
          branches = flattenRoutes(routes);
          rankRouteBranches(branches);
          rankedOf.set(routes, branches);
        }
        return branches;
      }
      const compiledOf = new Map();
      function compilePath(path, caseSensitive, end) {
        const key = path + (caseSensitive ? " 1" : " 0") + (end === false ? "0" : "1");
        let compiled = compiledOf.get(key);
        if (compiled === undefined) compiledOf.set(key, (compiled = compileNewPath(path, caseSensitive, end)));
        return compiled;
      }`),
  ],
  // A link's address is resolved three times, although it mostly is its own address.
  "react-router/dist/index.js": [
    [/function useHref\(to, _temp\) \{/, "$&\n  if (isPlain(to)) return to;"],
    [
      /function useResolvedPath\(to, _temp2\) \{/,
      '$&\n  if (isPlain(to)) return { search: "", hash: "", ...parsePath(to) };',
    ],
    // A text serves the comparison of two renders, and each page has one.
    [
      /let routePathnamesJson = JSON\.stringify\((.+)\);\n {2}return React\.useMemo\(\(\) => resolveTo\(to, JSON\.parse\(routePathnamesJson\), (.+)\), \[.+\]\);/,
      "return resolveTo(to, $1, $2);",
    ],
    after(PLAIN),
  ],
  // Nobody clicks on the server, and no view changes.
  "react-router-dom/dist/index.js": [
    always("useLinkClickHandler", "undefined"),
    always("useViewTransitionState", "false"),
  ],
  "react-router-dom/server.mjs": [
    [
      "  href = href.replace(/ $/",
      String.raw`  if (/^(?:\/[\w-]+)*\/?$/.test(href)) return { pathname: href || "/", search: "", hash: "" };` +
        "\n$&",
    ],
    [
      /let manifest = \{\};\n {2}let dataRoutes = UNSAFE_convertRoutesToDataRoutes\(routes, UNSAFE_mapRouteProperties, undefined, manifest\);/,
      "let { manifest, dataRoutes } = convertedRoutes(routes);",
    ],
    after(`const convertedOf = new WeakMap();
      function convertedRoutes(routes) {
        let converted = convertedOf.get(routes);
        if (converted === undefined) {
          const manifest = {};
          const dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);
          convertedOf.set(routes, (converted = { manifest, dataRoutes }));
        }
        return converted;
      }`),
  ],
  // Each loader got two copies of the request, without parameters that few requests have.
  "@remix-run/server-runtime/dist/esm/data.js": [
    [
      /(?<=function strip(?:Index|Routes)Param\(request\) \{)\n {2}let url = new URL\(request\.url\);/g,
      String.raw`if (!/[?&](?:index|_routes)\b/.test(request.url)) return request;$&`,
    ],
  ],
  // No loader leaves data for later, so the data of a page are a text (decision 87).
  "turbo-stream/dist/turbo-stream.mjs": [
    ["    return [existing];", "    return existing;"],
    [
      "  indices.set(input, index);",
      `$&
  if (typeof input === "string" || typeof input === "number" || typeof input === "boolean") {
    this.stringified[index] = JSON.stringify(input);
    return index;
  }`,
    ],
    [/const partsForObj = .+;/, "const partsForObj = (obj) => partsOf(this, obj);"],
    after(`function partsOf(encoder, obj) {
        let text = "";
        for (const key of Object.keys(obj))
          text += (text && ",") + '"_' + flatten.call(encoder, key) + '":' + flatten.call(encoder, obj[key]);
        return text;
      }
      export function encodeWhole(input, options) {
        const encoder = { deferred: {}, index: 0, indices: new Map(), stringified: [], ...options };
        const id = flatten.call(encoder, input);
        if (Object.keys(encoder.deferred).length > 0) throw new Error("A loader leaves no data for later (decision 87).");
        return (id < 0 ? id : "[" + encoder.stringified.join(",") + "]") + "\\n";
      }`),
  ],
  "@remix-run/server-runtime/dist/esm/single-fetch.js": [
    ["import { encode } from 'turbo-stream';", "import { encodeWhole } from 'turbo-stream';"],
    [
      /let controller = new AbortController\(\);[\s\S]+?return encode\(data, \{\n {4}signal: controller\.signal,/,
      "return encodeWhole(data, {",
    ],
  ],
  "@remix-run/react/dist/esm/single-fetch.js": [
    [
      /function StreamTransfer\(\{[\s\S]+?\n\}\n/,
      `function StreamTransfer({ context, text, nonce }) {
  if (!context.renderMeta?.didRenderScripts) return null;
  const script = (__html) => React.createElement("script", { nonce, dangerouslySetInnerHTML: { __html } });
  const controller = "window.__remixContext.streamController";
  return React.createElement(
    React.Fragment,
    null,
    script(controller + ".enqueue(" + escapeHtml(JSON.stringify(text)) + ");"),
    React.createElement(React.Suspense, null, script(controller + ".close();")),
  );
}
`,
    ],
  ],
  "@remix-run/react/dist/esm/server.js": [
    [
      /identifier: 0,\s+reader: context\.serverHandoffStream\.getReader\(\),\s+textDecoder: new TextDecoder\(\),/,
      "text: context.serverHandoffStream,",
    ],
    [
      "createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode)",
      "serverRoutes(manifest.routes, routeModules, context)",
    ],
    after(`const serverRoutesOf = new WeakMap();
      function serverRoutes(manifestRoutes, routeModules, context) {
        let routes = serverRoutesOf.get(manifestRoutes);
        if (routes === undefined) {
          routes = createServerRoutes(manifestRoutes, routeModules, context.future, context.isSpaMode);
          serverRoutesOf.set(manifestRoutes, routes);
        }
        return routes;
      }`),
  ],
  "@remix-run/react/dist/esm/components.js": [
    always("usePrefetchBehavior", "[false, undefined, {}]"),
    [
      'let routeModulesScript = !isStatic ? " " : `',
      'let routeModulesScript = !isStatic ? " " : moduleScript(manifest, matches, () => `',
    ],
    [/(import\(\$\{JSON\.stringify\(manifest\.entry\.module\)\}\);`);/, "$1);"],
    after(`const moduleScriptsOf = new WeakMap();
      function moduleScript(manifest, matches, create) {
        let scripts = moduleScriptsOf.get(manifest);
        if (scripts === undefined) moduleScriptsOf.set(manifest, (scripts = new Map()));
        const key = matches.map((match) => match.route.id).join();
        let script = scripts.get(key);
        if (script === undefined) scripts.set(key, (script = create()));
        return script;
      }`),
  ],
};

/** Libraries import react-dom for functions that run only in a browser; rendering a page needs one file of it. */
export const serverReact: Plugin = {
  name: "server-react",
  enforce: "pre",
  resolveId(id, _, options) {
    if (!options?.ssr) return;
    if (id === "react-dom/server") return SERVER_REACT;
    if (id === "react-dom") return "\0react-dom";
  },
  load(id, options) {
    if (id === SERVER_REACT && options?.ssr) return edited(id, readFileSync(id, "utf8"), ONE_TEXT);
    if (id !== "\0react-dom") return;
    return `const never = () => { throw new Error("The server has no DOM."); };
      export { never as createPortal, never as flushSync, never as unstable_batchedUpdates };
      export default { flushSync: never };`;
  },
};

export const hotLibraryCode: Plugin = {
  name: "hot-library-code",
  enforce: "pre",
  transform(code, id, options) {
    const edits = Object.entries(EDITS).find(([file]) => id.endsWith(`/node_modules/${file}`))?.[1];
    if (edits && options?.ssr) return { code: edited(id, code, edits), map: null };
  },
};
