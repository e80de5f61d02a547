// The logo: a hut with one lit window.
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} fill="none" aria-hidden="true">
      <path
        d="M4 16.5 16 6l12 10.500M7 14v12h18V14"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M12.5 17h7v6.500h-7z" fill="var(--glow)" />
      <path d="M16 17v6.500M12.5 20.200h7" stroke="var(--paper)" strokeWidth="1.2" />
    </svg>
  );
}
