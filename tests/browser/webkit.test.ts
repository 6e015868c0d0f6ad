import { launchWebkit } from './engines/webkit.ts';
import { smoke } from './screens/smoke.ts';
import { webkit } from './setup/installed.mjs';

smoke('WebKit', () => launchWebkit(webkit() ?? { driver: 'WebKitWebDriver', screen: undefined }));
