// What other domains show of people and their work. The only entry.
export { certificateName } from './certificate-labels.ts'
export { assignmentLabel, roleLabel, type StaffRole, warningLabel, workingCrew } from './crew-labels.ts'
export { obstacleText } from './fit-labels.ts'
export { FitReasons } from './fit-reasons.tsx'
export { useAccepting } from './use-accepting.tsx'
export { useAssigning } from './use-assigning.tsx'
