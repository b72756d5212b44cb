// Choices of the field staff that many screens name; in a file without shapes, so that they load alone.

export const staffKinds = ['guide', 'driver', 'driver_guide', 'tour_leader', 'rep', 'porter', 'skipper'] as const
export const employments = ['employee', 'freelance', 'supplier'] as const
export const staffStatuses = ['active', 'inactive', 'suspended'] as const
export const languageLevels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const
export const certificateKinds = [
  'first_aid',
  'wilderness_first_aid',
  'national_guide_licence',
  'driving_D1',
  'driving_D',
  'mountain_guide',
  'lifeguard',
  'other',
] as const
