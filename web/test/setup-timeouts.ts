import { configure } from '@testing-library/dom';

/** Enough for a busy machine to load a chunk or get a response; only failing tests wait this long. */
configure({ asyncUtilTimeout: 20_000 });
