/** Reports a check with its failures. The check has passed if there are none. */
export type ReportResult = (check: string, failures: readonly string[]) => void;

/** Prints a line for each check and counts the failures. */
export function createFailureCollector(): { report: ReportResult; count(): number } {
  let count = 0;
  return {
    count: () => count,
    report(check, failures) {
      count += failures.length;
      console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'}  ${check}`);
      for (const failure of failures) console.log(`        ${failure}`);
    },
  };
}
