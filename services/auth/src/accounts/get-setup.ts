import type { Deps } from '../app.ts';
import { hasAccounts } from './account-repository.ts';

/** Whether `/login` offers to create the first administrator. */
export async function getSetup({ db, config }: Deps) {
  return { setupRequired: !(await hasAccounts(db)), registration: config.REGISTRATION };
}
