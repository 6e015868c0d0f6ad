import { jest } from '@jest/globals';
import { launchFirefox } from './engines/firefox.ts';
import { smoke } from './screens/smoke.ts';
import { firefox } from './setup/installed.mjs';

jest.setTimeout(240_000);

smoke('Firefox', () => launchFirefox(firefox() ?? 'firefox'));
