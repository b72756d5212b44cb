// What other domains say of alerts. The only way in.
export { alertKindWords, alertTitle } from './alert-title.ts'
