import type { ReportMetric } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'

/** Labels of figures; definitions: docs/domain.md, "Figures of the reports". */
export const metricLabels: Record<ReportMetric, () => string> = {
  departures_run: m.reports_metric_departures_run,
  pax_carried: m.reports_metric_pax_carried,
  load_factor: m.reports_metric_load_factor,
  cancellation_rate: m.reports_metric_cancellation_rate,
  no_show_rate: m.reports_metric_no_show_rate,
  net_revenue: m.reports_metric_net_revenue,
  revenue_per_pax: m.reports_metric_revenue_per_pax,
  on_time_start: m.reports_metric_on_time_start,
  mean_delay: m.reports_metric_mean_delay,
  stop_adherence: m.reports_metric_stop_adherence,
  nps: m.reports_metric_nps,
  departures_led: m.reports_metric_departures_led,
  hours_assigned: m.reports_metric_hours_assigned,
  utilisation: m.reports_metric_utilisation,
  acceptance: m.reports_metric_acceptance,
  guide_rating: m.reports_metric_guide_rating,
  travelers: m.reports_metric_travelers,
  new_travelers: m.reports_metric_new_travelers,
  repeat_rate: m.reports_metric_repeat_rate,
}

export const metricDefinitions: Record<ReportMetric, () => string> = {
  departures_run: m.reports_definition_departures_run,
  pax_carried: m.reports_definition_pax_carried,
  load_factor: m.reports_definition_load_factor,
  cancellation_rate: m.reports_definition_cancellation_rate,
  no_show_rate: m.reports_definition_no_show_rate,
  net_revenue: m.reports_definition_net_revenue,
  revenue_per_pax: m.reports_definition_revenue_per_pax,
  on_time_start: m.reports_definition_on_time_start,
  mean_delay: m.reports_definition_mean_delay,
  stop_adherence: m.reports_definition_stop_adherence,
  nps: m.reports_definition_nps,
  departures_led: m.reports_definition_departures_led,
  hours_assigned: m.reports_definition_hours_assigned,
  utilisation: m.reports_definition_utilisation,
  acceptance: m.reports_definition_acceptance,
  guide_rating: m.reports_definition_guide_rating,
  travelers: m.reports_definition_travelers,
  new_travelers: m.reports_definition_new_travelers,
  repeat_rate: m.reports_definition_repeat_rate,
}
