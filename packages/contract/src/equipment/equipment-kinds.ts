/** What is lent for departures, by what it is for. */
export const equipmentKinds = ['safety', 'clothing', 'child_seat', 'radio', 'other'] as const
