import { useState } from 'react';

/** Whether this has been so since the place is there: what is loaded once it is opened stays, and closes as it opened. */
export function useHasBeenTrue(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return is || was;
}
