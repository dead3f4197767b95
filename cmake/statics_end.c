/* Linked behind the kernels of a module: up to here lie the variables of its launchers. See
 * harness/device/module_statics.h. */
#define OF_THIS_MODULE __attribute__((visibility("hidden")))

OF_THIS_MODULE unsigned char assay_statics_data_end[1] = { 1 };
OF_THIS_MODULE unsigned char assay_statics_zero_end[1];
