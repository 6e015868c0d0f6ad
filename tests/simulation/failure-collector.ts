/** Reports a check and its failures; none means success. */
export type ReportResult = (what: string, failures: readonly string[]) => void;

/** Prints a line for each check and counts the failures. */
export function createFailureCollector(): { report: ReportResult; count(): number } {
  let count = 0;
  return {
    count: () => count,
    report(what, failures) {
      count += failures.length;
      console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'}  ${what}`);
      for (const fault of failures) console.log(`        ${fault}`);
    },
  };
}
