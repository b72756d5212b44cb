// What other domains show of alerts. The only entry.
export { alertKindLabels, alertTitle } from './alert-title.ts'
