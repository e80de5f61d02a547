// Copies a text and confirms it.
import { useEffect, useState } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { toast } from "~/hooks/toasts";
import { Button, type ButtonProps } from "./button";

export function CopyButton({
  text,
  label = "Copy",
  icon,
  ...rest
}: { text: string; label?: string; icon?: IconName } & Omit<ButtonProps, "children">) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copyText = () =>
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => toast.error("Your browser does not allow copying here. Please select the text and copy it."),
    );
  return (
    <Button className="needs-script" onClick={copyText} {...rest}>
      {icon && <Icon name={icon} />}
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
    </Button>
  );
}
