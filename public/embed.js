// The script of a card inside another site: it moves the countdown. Starts and ends come with the page, which refreshes.
const two = (n) => String(n).padStart(2, "0");

/** As formatClock of app/domain/duration-text.ts writes it. */
function clockOf(ms) {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const [days, hours, minutes] = [
    Math.floor(total / 86400),
    Math.floor(total / 3600),
    Math.floor(total / 60) % 60,
  ];
  const tail = `${two(minutes)}:${two(total % 60)}`;
  if (total > 86400) return `${days}d ${two(hours % 24)}:${tail}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

const numerals = document.querySelectorAll("[data-until]");
setInterval(() => {
  for (const one of numerals) one.textContent = clockOf(Number(one.dataset.until) - Date.now());
}, 250);
