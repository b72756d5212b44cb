/** The severities from 1, the gravest, to this one are grave: filled on the map, in the color of danger, critical on the overview. */
export const leastGrave = 2

export const isGrave = (severity: number): boolean => severity <= leastGrave
