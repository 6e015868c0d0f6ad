import type { Deps } from '../deps.ts';
import { hasAccounts } from './account-repository.ts';

export async function getSetup({ db, config }: Deps) {
  const setupRequired = !(await hasAccounts(db));
  const setupTokenRequired = setupRequired && config.SETUP_TOKEN !== undefined;
  return { setupRequired, setupTokenRequired, registration: config.REGISTRATION };
}
