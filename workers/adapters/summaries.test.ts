import { expect, test, vi } from "vitest";
import { extract, modelSummariser, summariserOf, type TextModel, withFallback } from "./summaries";

const text = {
  title: "Evening",
  content: [
    "# The hut",
    "The hut stands above the tarn, and the path to the hut is steep.",
    "My cousin once owned a green bicycle.",
    "Bring wood to the hut, for the stove in the hut eats wood.",
    "From the tarn the path to the hut takes an hour.",
    "```\nconst hut = `the hut the path the tarn`;\n```",
    "Lemons are yellow.",
    "The stove in the hut warms the hut in an hour with dry wood.",
  ].join("\n"),
};
const built = summariserOf({});
const all = async (pieces: AsyncIterable<string>) => {
  const heard: string[] = [];
  for await (const piece of pieces) heard.push(piece);
  return heard;
};
const encoder = new TextEncoder();
const streamOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
const modelOf = (run: TextModel["run"], patienceMs = 1000) =>
  withFallback(modelSummariser({ run }, patienceMs), built);

test("L-12 the built-in summary is the first sentences of the first paragraphs, without Markdown or code", () => {
  expect(
    extract({
      title: "T",
      content:
        "# The hut\n\nThe hut is *above* the tarn. The path is steep.\n\n```\nconst hut = 1;\n```\n\n---\n\n- Bring [wood](https://x.example). Lemons are yellow.\n- Nothing else.",
    }),
  ).toBe("The hut The hut is above the tarn. Bring wood.");
});

test("L-12 a text without words answers its title", () => {
  expect(extract({ title: "T", content: "One thing. **Another** [thing](https://x.example)." })).toBe(
    "One thing.",
  );
  expect(extract({ title: "Only a title", content: "---\n" })).toBe("Only a title");
});

test("L-12 a long text is summarised in bounded work", () => {
  const long = Array.from({ length: 5000 }, (_, at) => `Sentence number ${at} of many.`).join(" ");
  expect(extract({ title: "", content: long }).length).toBeLessThan(200);
});

test("L-12 Workers AI writes the summary where it is bound", async () => {
  const run = vi.fn(async (_model: string, _input: Record<string, unknown>) => ({
    response: " Short and warm. ",
  }));
  const summariser = summariserOf({ AI: { run } as unknown as Ai });
  expect(await summariser.summarise(text)).toBe("Short and warm.");
  const [, asked] = run.mock.calls[0] ?? [];
  expect(JSON.stringify(asked)).toContain("Evening");
});

test("L-12 pieces arrive as the model sends them, even when a line is split between chunks", async () => {
  const summariser = modelOf(async () =>
    streamOf('data: {"response":"Short "}\n\nda', 'ta: {"response":"and warm."}\n\n', "data: [DONE]\n\n"),
  );
  expect(await all(summariser.stream(text))).toEqual(["Short ", "and warm."]);
});

test("L-12 the built-in summariser answers when Workers AI fails, is empty or times out", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const failing: TextModel["run"][] = [
    async () => {
      throw new Error("out of capacity");
    },
    async () => ({ response: "  " }),
    async () => ({}),
  ];
  for (const run of failing) {
    expect(await modelOf(run).summarise(text)).toBe(extract(text));
    expect(await all(modelOf(run).stream(text))).toEqual([extract(text)]);
  }
  vi.useFakeTimers();
  const waits = modelOf(() => new Promise(() => {}), 5000).summarise(text);
  await vi.advanceTimersByTimeAsync(5001);
  expect(await waits).toBe(extract(text));
  vi.useRealTimers();
});

test("L-12 the built-in summariser completes a stream that breaks off", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  for (const rest of ["data: {broken\n\n", 'data: {"respo', ""]) {
    const broken = modelOf(async () => streamOf('data: {"response":"Short"}\n\n', rest));
    expect(await all(broken.stream(text))).toEqual(["Short", "\n\n", extract(text)]);
  }
});

test("L-12 the configured summariser falls back when Workers AI fails, as a whole and as a stream", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const run = async () => {
    throw new Error("out of capacity");
  };
  const summariser = summariserOf({ AI: { run } as unknown as Ai });
  expect(await summariser.summarise(text)).toBe(extract(text));
  expect(await all(summariser.stream(text))).toEqual([extract(text)]);
  expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual(
    Array(2).fill("summariser-fell-back"),
  );
});
