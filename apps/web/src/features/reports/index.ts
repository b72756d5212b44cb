// What other domains show of reports. The only entry.
export { SharedReportBody } from './shared-report-body.tsx'
