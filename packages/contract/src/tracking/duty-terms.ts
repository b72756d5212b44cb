/** A duty ends by itself after this time, hours: nobody is followed because somebody forgot a button. */
export const longestDutyHours = 14
