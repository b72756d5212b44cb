// What other domains show of alerts and of signals. The only entry.
export { alertKindLabels, alertTitle } from './alert-title.ts'
export { type DepartureSignals, signalFor, useDepartureSignals } from './departure-signals.ts'
export { Basis, LastSignal } from './signal-parts.tsx'
