import { launchFirefox } from './engines/firefox.ts';
import { smoke } from './screens/smoke.ts';
import { firefox } from './setup/installed.mjs';

smoke('Firefox', () => launchFirefox(firefox() ?? 'firefox'));
