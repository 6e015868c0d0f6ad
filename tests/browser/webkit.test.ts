import { jest } from '@jest/globals';
import { smoke } from './engines/smoke.ts';
import { launchWebkit } from './engines/webkit.ts';
import { webkit } from './setup/installed.mjs';

jest.setTimeout(240_000);

smoke('WebKit', () => launchWebkit(webkit() ?? { driver: 'WebKitWebDriver', screen: undefined }));
