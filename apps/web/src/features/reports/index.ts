// What other domains show of reports. The only entry.
export { ReportBody } from './report-body.tsx'
