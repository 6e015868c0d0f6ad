import { useLocation } from 'react-router-dom';

/** Returns a key if the URL ends with the fragment, and another one each time that a link to it is followed. */
export function useFragment(fragment: string): string | undefined {
  const { hash, key } = useLocation();
  return hash === fragment ? key : undefined;
}
