import { configure } from '@testing-library/dom';

/** Allows a busy machine enough time to load a chunk or get a response. Only failing tests wait this long. */
configure({ asyncUtilTimeout: 20_000 });
