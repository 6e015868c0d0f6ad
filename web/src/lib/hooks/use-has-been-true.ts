import { useState } from 'react';

export function useHasBeenTrue(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return is || was;
}
