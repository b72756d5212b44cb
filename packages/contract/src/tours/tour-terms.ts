// Choices of tours that many screens name; in a file without shapes, so that they load alone.

export const tourKinds = ['day', 'multi_day', 'walking', 'transfer', 'private'] as const
export const tourDifficulties = ['easy', 'moderate', 'demanding', 'expert'] as const
export const tourStopKinds = [
  'start',
  'pickup',
  'visit',
  'meal',
  'photo',
  'rest',
  'transfer',
  'overnight',
  'end',
] as const
/** How guests get from one stop to the next. */
export const travelModes = ['walk', 'drive', 'boat', 'rail', 'air'] as const
export type TravelMode = (typeof travelModes)[number]
export const vehicleClasses = ['minibus', 'coach', '4x4', 'van', 'boat', 'other'] as const
export const staffRoles = ['lead_guide', 'guide', 'driver', 'backup', 'tour_leader', 'porter'] as const
export type StaffRole = (typeof staffRoles)[number]
