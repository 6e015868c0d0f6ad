import { jest } from '@jest/globals';
import { smoke } from './engines/smoke.ts';
import { launchWebkit } from './engines/webkit.ts';
import { webkit } from './setup/installed.mjs';

jest.setTimeout(90_000);

smoke('WebKit', () => launchWebkit(webkit() ?? { driver: 'WebKitWebDriver', screen: undefined }));
