import { useState } from 'react';

/** Whether the value has ever been true, so that what it opened stays mounted. */
export function useHasBeenTrue(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return is || was;
}
