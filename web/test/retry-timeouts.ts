import { configure } from '@testing-library/react';

/** As long as a busy machine may need to load a piece or to get an answer; only a test that fails waits so long. */
configure({ asyncUtilTimeout: 20_000 });
