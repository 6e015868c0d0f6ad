// Runs as npm's `prepare`. A checkout without git (an image build, a tarball) has no hooks to install.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('.git') && existsSync('node_modules/.bin/simple-git-hooks') && process.env.CI !== 'true') {
  spawnSync('node_modules/.bin/simple-git-hooks', { stdio: 'inherit' });
}
