import JsdomEnvironment from 'jest-fixed-jsdom';
import { strict } from './strict.mjs';

export default strict(JsdomEnvironment);
