/** Figures of the spec that belong to the application, each once, with its section. Backend figures are next to their adapters. */

/** How often the build on the server is compared with the running one. Spec, section 9, "Build version check". */
export const buildCheckIntervalMs = 3_600_000
/** Two reloads by the application itself are at least this far apart. Spec, section 9, "reload guard 10 s". */
export const reloadGuardMs = 10_000
/** When the build manifest is fetched after the start. Spec, section 9, "manifest prefetch starts after 1 s". */
export const manifestPrefetchDelayMs = 1_000

/** How often the identity service is checked until it has loaded. Spec, section 9, "Loader polling 1 s". */
export const loaderPollIntervalMs = 1_000
/** Progress before and after the store is initialized. Spec, section 9, "progress steps 50 then 100". */
export const loaderProgress = { identityLoaded: 50, storeInitialized: 100 } as const
/** Height of the start-up bar, pixels (the class `bar4`). Spec, section 9, "loader bar height 4". */
export const loaderBarHeightPx = 4
/** After this the start-up shows a text that it is still connecting. See docs/screens.md, "Start and sign-in". */
export const stillConnectingAfterMs = 10_000

/** Spec, section 9, "snackbar timeout 4000 ms"; the toasts of `ui/toast.tsx` keep it. */
export const snackbarTimeoutMs = 4_000
/** Spec, section 9, "dialog width 500, persistent"; the class `dialog` keeps it. */
export const dialogWidthPx = 500
/** Spec, section 9, "app bar height 64"; `--app-bar` in `ui/tokens.css`. */
export const appBarHeightPx = 64
/** Spec, section 9, "navigation drawer width 280"; `--nav-drawer` in `ui/tokens.css`. */
export const navigationDrawerWidthPx = 280
/** Spec, section 9, "breakpoints"; `--breakpoint-*` in `ui/tokens.css`, where xxl is called 2xl. What is mobile, `ui/use-media.ts` says. */
export const breakpointsPx = { xs: 0, sm: 600, md: 960, lg: 1280, xl: 1920, xxl: 2560 } as const
/** Brand colors. Spec, section 1, "Visual theme"; `ui/tokens.css` says where each may be used. */
export const themeColors = { primary: '#FF4B00', secondary: '#F77602', background: '#F9F9F9', text: '#333333' } as const
