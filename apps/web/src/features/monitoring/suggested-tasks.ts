import { m } from '../../paraglide/messages.js'
import type { IncidentCategory } from '../../records/incident-labels.ts'

/** What is usually to be done, in the order in which it is. One press makes a task of it, in the language of whoever presses. */
export const suggestedTasks: Readonly<Record<IncidentCategory, readonly (() => string)[]>> = {
  medical: [
    m.monitoring_suggest_emergency_number,
    m.monitoring_suggest_emergency_contact,
    m.monitoring_suggest_hospital,
    m.monitoring_suggest_insurance,
  ],
  missing_person: [
    m.monitoring_suggest_last_seen,
    m.monitoring_suggest_search,
    m.monitoring_suggest_police,
    m.monitoring_suggest_emergency_contact,
  ],
  vehicle: [
    m.monitoring_suggest_roadside,
    m.monitoring_suggest_replacement_vehicle,
    m.monitoring_suggest_inform_guests,
    m.monitoring_suggest_insurance,
  ],
  weather: [
    m.monitoring_suggest_safe_place,
    m.monitoring_suggest_forecast,
    m.monitoring_suggest_inform_guests,
    m.monitoring_suggest_inform_supplier,
  ],
  security: [
    m.monitoring_suggest_emergency_number,
    m.monitoring_suggest_safe_place,
    m.monitoring_suggest_police,
    m.monitoring_suggest_inform_guests,
  ],
  supplier: [
    m.monitoring_suggest_inform_supplier,
    m.monitoring_suggest_other_supplier,
    m.monitoring_suggest_inform_guests,
  ],
  complaint: [m.monitoring_suggest_ask_guide, m.monitoring_suggest_answer_guest],
  lost_item: [
    m.monitoring_suggest_ask_lost_property,
    m.monitoring_suggest_answer_guest,
    m.monitoring_suggest_return_item,
  ],
  near_miss: [m.monitoring_suggest_ask_guide, m.monitoring_suggest_write_down],
  other: [m.monitoring_suggest_inform_guests],
}
