import { runDemo } from './demo.ts';

// `npm start -- --demo` runs `node tools/demo/main.ts <gateway URL>` when everything is ready.
const [baseUrl] = process.argv.slice(2);
const { SETUP_TOKEN: setupToken } = process.env;
if (!baseUrl) {
  console.error('Usage: node tools/demo/main.ts <gateway URL>');
  process.exit(64);
}
try {
  await runDemo({ baseUrl, setupToken, print: console.log });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
