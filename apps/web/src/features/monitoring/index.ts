// What other domains say of alerts. The only way in.
export { alertKindLabels, alertTitle } from './alert-title.ts'
