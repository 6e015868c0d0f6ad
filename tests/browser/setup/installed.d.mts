export declare const firefox: () => string | undefined;
export declare const webkit: () => { driver: string; screen: string | undefined } | undefined;
