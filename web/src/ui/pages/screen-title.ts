/** The id of the heading that labels the screen's `main`, which is focused after navigation. */
export const SCREEN_TITLE = 'screen-title';
