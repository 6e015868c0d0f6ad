import { TestEnvironment } from 'jest-environment-node';
import { strict } from './strict.mjs';

export default strict(TestEnvironment);
