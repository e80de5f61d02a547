// The scripts of a page. The browser adopts them as the server wrote them.
import { Scripts } from "@remix-run/react";
import { Children, cloneElement, isValidElement, type ReactNode, useContext } from "react";
import { ScriptStartContext, useNonce } from "./nonce";

type Attributes = { rel?: string; type?: string; children?: ReactNode };

export function PageScripts() {
  const nonce = useNonce();
  const start = useContext(ScriptStartContext);
  const scripts = Scripts({ nonce });
  if (!start) return scripts;
  const { preload, module, after } = start;
  const started = (node: ReactNode): ReactNode =>
    Children.map(node, (one) => {
      if (!isValidElement<Attributes>(one)) return one;
      const { rel, type, children } = one.props;
      if (rel === "modulepreload") return cloneElement(one, preload);
      if (type === "module") return cloneElement(one, module);
      return children === undefined ? one : cloneElement(one, {}, started(children));
    });
  return (
    <>
      {started(scripts)}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: A script of ours. */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: after }} />
    </>
  );
}
