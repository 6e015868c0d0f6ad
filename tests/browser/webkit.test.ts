import { jest } from '@jest/globals';
import { launchWebkit } from './engines/webkit.ts';
import { smoke } from './screens/smoke.ts';
import { webkit } from './setup/installed.mjs';

jest.setTimeout(240_000);

smoke('WebKit', () => launchWebkit(webkit() ?? { driver: 'WebKitWebDriver', screen: undefined }));
