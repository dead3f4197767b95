/* Linked after the kernels of a module: the variables of its launchers end here. See
 * harness/device/module_statics.h. */
#define OF_THIS_MODULE __attribute__((visibility("hidden")))

OF_THIS_MODULE unsigned char assay_statics_data_end[1] = { 1 };
OF_THIS_MODULE unsigned char assay_statics_zero_end[1];
