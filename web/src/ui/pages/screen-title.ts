/** The id of the one heading that names the screen, and with it its `main`, which has the focus after going there. */
export const SCREEN_TITLE = 'screen-title';
